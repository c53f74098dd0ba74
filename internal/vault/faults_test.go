package vault_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

// faultCase is a change that is tried with each of its operations failing.
type faultCase struct {
	name string
	note string
	then string // content after the change; "" is no note
	want string // content at the end when all succeeds
	run  func(v *vault.Vault, note string) (*vault.Change, error)
	// undo says to undo the change where the other cases commit.
	undo bool
	// nolink stands for a file system without hard links.
	nolink bool
}

const oldText, newText = "the old text\n", "the new text, which is longer\n"

func faultCases(t *testing.T) []faultCase {
	write := func(v *vault.Vault, note string) (*vault.Change, error) { return v.Replace(path(t, note), newText) }
	remove := func(v *vault.Vault, note string) (*vault.Change, error) { return v.Remove(path(t, note)) }
	return []faultCase{
		{name: "overwrite", note: "in/old.md", then: newText, want: newText, run: write},
		{name: "overwrite without links", note: "in/old.md", then: newText, want: newText, run: write, nolink: true},
		{name: "overwrite and undo", note: "in/old.md", then: newText, want: oldText, run: write, undo: true},
		{name: "create", note: "in/new.md", then: newText, want: newText, run: write},
		{name: "create with folders", note: "x/y/new.md", then: newText, want: newText, run: write},
		{name: "create with folders and undo", note: "x/y/new.md", then: newText, run: write, undo: true},
		{name: "remove", note: "in/old.md", run: remove},
		{name: "remove and undo", note: "in/old.md", want: oldText, run: remove, undo: true},
	}
}

// attempt runs the case in a new vault whose operations fail as fail says. It
// returns the vault's folder and the error of the change or of its end.
func (c faultCase) attempt(t *testing.T, fail func(op vaulttest.Op) error) (dir string, v *vault.Vault, faults *vaulttest.Faults, err, endErr error) {
	dir = vaulttest.New(t, "")
	vaulttest.Write(t, dir, "in/old.md", oldText)
	v, faults = open(t, dir)
	faults.Set(func(op vaulttest.Op) error {
		err := fail(op)
		if err == nil && op.Name == "link" && c.nolink {
			return syscall.EPERM
		}
		return err
	})
	change, err := c.run(v, c.note)
	if err != nil {
		return dir, v, faults, err, nil
	}
	if c.undo {
		return dir, v, faults, nil, change.Undo()
	}
	return dir, v, faults, nil, change.Commit()
}

// content is the note's text, "" where there is no note.
func content(t *testing.T, v *vault.Vault, note string) string {
	t.Helper()
	f, err := v.Read(path(t, note))
	if err != nil {
		return ""
	}
	return f.Content
}

func strays(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, name := range tree(t, dir) {
		if strings.Contains(name, ".stratum-") {
			names = append(names, name)
		}
	}
	return names
}

// TestEveryOperationFails lets the 1st, 2nd, 3rd … operation of a change fail
// until it succeeds: each time the whole old or the whole new note stands, a
// change that gave an error changed nothing, and no file is left behind.
func TestEveryOperationFails(t *testing.T) {
	for _, c := range faultCases(t) {
		t.Run(c.name, func(t *testing.T) {
			old := map[bool]string{true: oldText, false: ""}[c.note == "in/old.md"]
			for n := 1; ; n++ {
				met := ""
				dir, v, faults, err, endErr := c.attempt(t, func(op vaulttest.Op) error {
					if op.N != n {
						return nil
					}
					met = op.Name + " " + op.Path
					return syscall.ENOSPC
				})
				faults.Set(nil)
				got := content(t, v, c.note)
				switch {
				case err != nil:
					if got != old {
						t.Errorf("%s fails: the note holds %q after the error %v, want %q", met, got, err, old)
					}
					if s := strays(t, dir); s != nil {
						t.Errorf("%s fails: %q stay behind", met, s)
					}
					if !strings.Contains(met, "close") && !errors.Is(err, syscall.ENOSPC) {
						t.Errorf("%s fails: the error does not tell: %v", met, err)
					}
					if c.note == "x/y/new.md" {
						wantTree(t, dir, "in/", "in/old.md")
					}
				case endErr != nil: // the change stands; its end failed and may be tried again
					if got != c.then && got != old {
						t.Errorf("%s fails: the note holds %q, neither old nor new", met, got)
					}
					do(t, v.SweepTemp(t.Context()))
					if s := strays(t, dir); s != nil {
						t.Errorf("%s fails: %q stay behind the sweep", met, s)
					}
				case got != c.want:
					t.Errorf("%s fails without an error: the note holds %q, want %q", met, got, c.want)
				}
				if met == "" {
					if n < 4 {
						t.Errorf("only %d operations: the faults are not met", n-1)
					}
					if s := strays(t, dir); s != nil {
						t.Errorf("%q stay behind", s)
					}
					return
				}
			}
		})
	}
}

// TestDiskDies lets every operation from the nth on fail, so that nothing can
// be put right: still the whole old or the whole new note stands, and a sweep
// at the next start removes the rest.
func TestDiskDies(t *testing.T) {
	for _, c := range faultCases(t) {
		t.Run(c.name, func(t *testing.T) {
			old := map[bool]string{true: oldText, false: ""}[c.note == "in/old.md"]
			for n := 1; ; n++ {
				met := false
				dir, v, faults, _, _ := c.attempt(t, func(op vaulttest.Op) error {
					if op.N < n {
						return nil
					}
					met = true
					return syscall.EIO
				})
				faults.Set(nil)
				if got := content(t, v, c.note); got != old && got != c.then {
					t.Errorf("dead from operation %d: the note holds %q, neither old nor new", n, got)
				}
				do(t, v.SweepTemp(t.Context()))
				if s := strays(t, dir); s != nil {
					t.Errorf("dead from operation %d: %q stay behind the sweep", n, s)
				}
				if !met {
					return
				}
			}
		})
	}
}

// TestFailedUndoIsTold has an error that does not claim that nothing changed.
func TestFailedUndoIsTold(t *testing.T) {
	c := faultCases(t)[0]
	dir, _, _, err, _ := c.attempt(t, func(op vaulttest.Op) error {
		if op.Name == "syncfolder" {
			return syscall.EIO
		}
		return nil
	})
	if err == nil || strings.Contains(err.Error(), "nothing was changed") || strings.Contains(err.Error(), dir) {
		t.Errorf("error = %v, want one that leaves open what stands", err)
	}
}
