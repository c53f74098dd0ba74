package vault_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"stratum"
	"stratum/internal/vaulttest"
)

func TestReplace(t *testing.T) {
	dir := vaulttest.New(t, "-- old.md --\nold\n")
	v, _ := open(t, dir)
	for name, content := range map[string]string{
		"old.md":           "\ufeffnew\r\ntext without a last newline",
		"new.md":           "",
		"made/for/it.md":   "caf\xe9",
		"made/another.md":  strings.Repeat("long ", 200_000),
		"emoji 🦉/📚.md":     "x",
		"e\u0301/é.md":     "x",
		"folder.md/x.md":   "x",
		"x/templates/t.md": "x",
	} {
		before, err := v.Stat(path(t, name))
		existed := err == nil
		c, err := v.Replace(path(t, name), content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Path.String() != name || c.Existed != existed || c.Before != before {
			t.Errorf("%s: change %+v; existed %v with %+v", name, c, existed, before)
		}
		do(t, c.Commit())
		do(t, c.Commit())
		do(t, c.Undo()) // does nothing any more
		f, err := v.Read(path(t, name))
		if err != nil || f.Content != content || f.Stamp != c.Stamp {
			t.Errorf("%s: read back %d bytes with %+v, %v; written %d with %+v", name, len(f.Content), f.Stamp, err, len(content), c.Stamp)
		}
	}
	wantTree(t, dir, "emoji 🦉/", "emoji 🦉/📚.md", "e\u0301/", "e\u0301/é.md", "folder.md/", "folder.md/x.md",
		"made/", "made/another.md", "made/for/", "made/for/it.md", "new.md", "old.md", "x/", "x/templates/", "x/templates/t.md")
}

// TestReplaceCaseTwins keeps names that differ only in case or Unicode form
// apart, where the file system does.
func TestReplaceCaseTwins(t *testing.T) {
	dir := vaulttest.New(t, "-- CASE.md --\n\n")
	if _, err := os.Stat(at(dir, "case.md")); err == nil {
		t.Skip("this file system folds case")
	}
	v, _ := open(t, dir)
	for _, name := range []string{"Note.md", "note.md", "\u00e9.md", "e\u0301.md"} {
		replace(t, v, name, name)
	}
	for _, name := range []string{"Note.md", "note.md", "\u00e9.md", "e\u0301.md"} {
		if f, err := v.Read(path(t, name)); err != nil || f.Content != name {
			t.Errorf("%q holds %q, %v", name, f.Content, err)
		}
	}
}

func TestReplaceKeepsMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes here")
	}
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	for _, links := range []bool{true, false} {
		faults.Set(func(op vaulttest.Op) error {
			if op.Name == "link" && !links {
				return syscall.EPERM
			}
			return nil
		})
		for _, mode := range []os.FileMode{0o600, 0o640, 0o444, 0o755} {
			do(t, os.Chmod(at(dir, "a.md"), mode))
			replace(t, v, "a.md", mode.String())
			info, err := os.Stat(at(dir, "a.md"))
			do(t, err)
			if info.Mode() != mode {
				t.Errorf("mode %v, want %v", info.Mode(), mode)
			}
		}
	}
	replace(t, v, "new/b.md", "b")
	if info, err := os.Stat(at(dir, "new/b.md")); err != nil || info.Mode()&^0o644 != 0 || info.Mode()&0o600 != 0o600 {
		t.Errorf("a new note has mode %v, %v, want 0644 less the umask", info.Mode(), err)
	}
}

func TestReplaceKeepsOwner(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	if err := os.Chown(at(dir, "a.md"), 1234, 5678); err != nil {
		t.Skipf("files cannot be given away: %v", err)
	}
	replace(t, v, "a.md", "b")
	info, err := os.Stat(at(dir, "a.md"))
	do(t, err)
	if got := fmt.Sprintf("%+v", info.Sys()); !strings.Contains(got, "Uid:1234 Gid:5678") {
		t.Errorf("owner not kept: %s", got)
	}
	// Who may not give files away still writes.
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "chown" {
			return syscall.EPERM
		}
		return nil
	})
	replace(t, v, "a.md", "c")
}

// TestReplaceStrictlyLater holds within one tick of the clock, for a clock
// that goes back, and for a note from the future (decision 5.7).
func TestReplaceStrictlyLater(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "sync" || op.Name == "syncfolder" {
			return vaulttest.Pretend
		}
		return nil
	})
	now := time.Now()
	future := now.Add(1000 * time.Hour)
	last, err := v.Stat(path(t, "a"))
	do(t, err)
	step := func(name string) {
		t.Helper()
		st := replace(t, v, "a.md", name)
		if st.Modified <= last.Modified {
			t.Fatalf("%s: modified %v, not later than %v", name, st.Time(), last.Time())
		}
		last = st
	}
	for i := range 1000 {
		step(fmt.Sprint("rapid ", i))
	}
	v.SetClock(func() time.Time { return now })
	for i := range 50 {
		step(fmt.Sprint("clock stands ", i))
	}
	v.SetClock(func() time.Time { return now.Add(-time.Hour) })
	step("clock went back")
	do(t, os.Chtimes(at(dir, "a.md"), future, future))
	last.Modified = future.UnixNano()
	step("note from the future")
	if got := last.Time().Sub(future); got > time.Second {
		t.Errorf("a note from the future moved on by %v, want as little as can be told", got)
	}
}

// TestReplaceCoarseClock bumps until a file system of coarse stamps tells the
// difference.
func TestReplaceCoarseClock(t *testing.T) {
	for _, grain := range []time.Duration{100, time.Millisecond, time.Second, 2 * time.Second} {
		dir := vaulttest.New(t, "-- a.md --\na\n")
		v, faults := open(t, dir)
		start := time.Now().Truncate(2 * time.Second)
		v.SetClock(func() time.Time { return start })
		do(t, os.Chtimes(at(dir, "a.md"), start, start))
		faults.Set(func(op vaulttest.Op) error {
			if op.Name == "lstat" && strings.HasSuffix(op.Path, ".tmp") {
				info, err := os.Lstat(at(dir, op.Path))
				do(t, err)
				cut := info.ModTime().Truncate(grain)
				do(t, os.Chtimes(at(dir, op.Path), cut, cut))
			}
			return nil
		})
		if got := replace(t, v, "a.md", "b").Time().Sub(start); got != grain {
			t.Errorf("moved on by %v, want the file system's %v", got, grain)
		}
	}
}

// TestReplaceFrozenClock fails, with nothing left behind, where no later mtime
// can be had.
func TestReplaceFrozenClock(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	was, err := v.Stat(path(t, "a"))
	do(t, err)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "lstat" && strings.HasSuffix(op.Path, ".tmp") {
			do(t, os.Chtimes(at(dir, op.Path), was.Time(), was.Time()))
		}
		return nil
	})
	_, err = v.Replace(path(t, "a"), "b")
	wantKind(t, err, stratum.External, dir)
	wantTree(t, dir, "a.md")
}

// TestReplaceTellsWhatItReplaced names the file that was really replaced, when
// another program saves between the caller's look and the rename.
func TestReplaceTellsWhatItReplaced(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	looked, err := v.Stat(path(t, "a"))
	do(t, err)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "link" {
			vaulttest.Write(t, dir, "a.md", "theirs")
		}
		return nil
	})
	c, err := v.Replace(path(t, "a"), "ours")
	do(t, err)
	if c.Before == looked {
		t.Error("the change says that it replaced the file that was looked at")
	}
	do(t, c.Undo())
	if got := vaulttest.Read(t, dir, "a.md"); got != "theirs" {
		t.Errorf("a.md = %q, want what the other program wrote", got)
	}
	// Or removes it.
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "link" {
			do(t, os.Remove(at(dir, "a.md")))
		}
		return nil
	})
	c, err = v.Replace(path(t, "a"), "ours")
	do(t, err)
	if c.Existed || c.Before != (stratum.Stamp{}) {
		t.Errorf("change %+v, want one that replaced nothing", c)
	}
	do(t, c.Commit())
	wantTree(t, dir, "a.md")
}

// TestReplaceLongPaths has the file system's own limit as InvalidArgs.
func TestReplaceLongPaths(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, faults := open(t, dir)
	replace(t, v, strings.Repeat("x", 252)+".md", "longest name")
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "rename" || op.Name == "mkdir" {
			return syscall.ENAMETOOLONG
		}
		return nil
	})
	for _, name := range []string{"new", "folder/new"} {
		_, err := v.Replace(path(t, name), "ours")
		wantKind(t, err, stratum.InvalidArgs, dir)
	}
	wantTree(t, dir, strings.Repeat("x", 252)+".md")
}

// TestStorageErrors tells what the operator can do about it.
func TestStorageErrors(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	for cause, want := range map[error]string{
		syscall.ENOSPC: "full", syscall.EDQUOT: "full", syscall.EROFS: "read-only", syscall.EACCES: "permission", syscall.EIO: "failed",
	} {
		faults.Set(func(op vaulttest.Op) error {
			if op.Name == "create" || op.Name == "rename" {
				return cause
			}
			return nil
		})
		for _, change := range []func() error{
			func() error { _, err := v.Replace(path(t, "a"), "b"); return err },
			func() error { _, err := v.Remove(path(t, "a")); return err },
		} {
			err := change()
			wantKind(t, err, stratum.External, dir)
			if !errors.Is(err, cause) || !strings.Contains(stratum.AsError(err).Message, want) {
				t.Errorf("%v: %v, want a message with %q", cause, err, want)
			}
		}
		wantTree(t, dir, "a.md")
	}
}
