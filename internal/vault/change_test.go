package vault_test

import (
	"os"
	"syscall"
	"testing"

	"stratum"
	"stratum/internal/vaulttest"
)

func TestUndo(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\nold\n-- in/b.md --\nb\n")
	v, faults := open(t, dir)
	for _, links := range []bool{true, false} {
		faults.Set(func(op vaulttest.Op) error {
			if op.Name == "link" && !links {
				return syscall.ENOTSUP
			}
			return nil
		})
		before, err := v.Stat(path(t, "a"))
		do(t, err)

		c, err := v.Replace(path(t, "a"), "new")
		do(t, err)
		do(t, c.Undo())
		do(t, c.Undo())
		after, err := v.Read(path(t, "a"))
		do(t, err)
		if after.Content != "old\n" || after.Stamp.Modified != before.Modified || links && after.Stamp != before {
			t.Errorf("links %v: undone to %q with %+v, want the old file with %+v", links, after.Content, after.Stamp, before)
		}

		c, err = v.Replace(path(t, "x/y/new"), "new")
		do(t, err)
		do(t, c.Undo())
		c, err = v.Replace(path(t, "in/new"), "new")
		do(t, err)
		do(t, c.Undo())
		wantTree(t, dir, "a.md", "in/", "in/b.md")
	}
}

// TestUndoKeepsFolder leaves a folder that somebody has put something into.
func TestUndoKeepsFolder(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	c, err := v.Replace(path(t, "x/y/new"), "new")
	do(t, err)
	vaulttest.Write(t, dir, "x/other.md", "other")
	do(t, c.Undo())
	wantTree(t, dir, "x/", "x/other.md")
}

// TestUndoSparesOthers never destroys what another program wrote meanwhile.
func TestUndoSparesOthers(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n-- b.md --\nb\n-- c.md --\nc\n")
	v, _ := open(t, dir)
	changed, err := v.Replace(path(t, "a"), "ours")
	do(t, err)
	vaulttest.Write(t, dir, "a.md", "theirs, longer")
	gone, err := v.Replace(path(t, "b"), "ours")
	do(t, err)
	do(t, os.Remove(at(dir, "b.md")))
	back, err := v.Remove(path(t, "c"))
	do(t, err)
	vaulttest.Write(t, dir, "c.md", "theirs")
	for _, c := range []interface{ Undo() error }{changed, gone, back} {
		if c.Undo() == nil {
			t.Errorf("%+v: Undo gives no error", c)
		}
	}
	wantTree(t, dir, "a.md", "c.md")
	if a, c := vaulttest.Read(t, dir, "a.md"), vaulttest.Read(t, dir, "c.md"); a != "theirs, longer" || c != "theirs" {
		t.Errorf("a.md = %q, c.md = %q, want what the other program wrote", a, c)
	}
}

func TestRemove(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n-- in/b.md --\nb\n")
	v, _ := open(t, dir)
	before, err := v.Stat(path(t, "in/b"))
	do(t, err)

	c, err := v.Remove(path(t, "in/b"))
	do(t, err)
	if !c.Existed || c.Before != before || c.Stamp != (stratum.Stamp{}) {
		t.Errorf("change %+v, want the removal of %+v", c, before)
	}
	if _, err := v.Read(path(t, "in/b")); stratum.KindOf(err) != stratum.NotFound {
		t.Errorf("the removed note: %v, want NotFound", err)
	}
	do(t, c.Undo())
	if after, err := v.Stat(path(t, "in/b")); err != nil || after != before {
		t.Errorf("undone to %+v, %v, want %+v", after, err, before)
	}

	c, err = v.Remove(path(t, "in/b"))
	do(t, err)
	do(t, c.Commit())
	wantTree(t, dir, "a.md", "in/")
	for _, name := range []string{"in/b", "missing", "no/such/folder", "templates/t"} {
		_, err = v.Remove(path(t, name))
		wantKind(t, err, stratum.NotFound, dir)
	}
}

// TestChangeRefuses touches nothing that decision 5.3 forbids.
func TestChangeRefuses(t *testing.T) {
	outside := t.TempDir()
	vaulttest.Write(t, outside, "x.md", "outside")
	dir := vaulttest.New(t, "-- a.md --\na\n-- folder.md/x.md --\nx\n-- real/x.md --\nx\n-- plain --\np\n")
	v, _ := open(t, dir)
	symlink(t, dir, "a.md", "link.md")
	symlink(t, dir, "nowhere.md", "dangling.md")
	symlink(t, dir, "real", "linked")
	symlink(t, dir, outside, "out")
	before := tree(t, dir)
	for _, name := range []string{
		"link", "dangling", "linked/x", "linked/new", "out/x", "out/new", "folder.md", "a.md/x", "plain/x/y",
		"link.md/x",
	} {
		_, err := v.Replace(path(t, name), "ours")
		wantKind(t, err, stratum.InvalidArgs, dir)
		_, err = v.Remove(path(t, name))
		wantKind(t, err, stratum.InvalidArgs, dir)
	}
	_, err := v.Replace(path(t, "templates/new"), "ours")
	wantKind(t, err, stratum.InvalidArgs, dir)
	wantTree(t, dir, before...)
	if got := vaulttest.Read(t, outside, "x.md"); got != "outside" {
		t.Errorf("the file outside holds %q", got)
	}
}
