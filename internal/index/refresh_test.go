package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"stratum"
	"stratum/internal/vaulttest"
)

var errDisk = errors.New("the disk is tired")

// failing has opening the file at name fail.
func failing(name string) func(vaulttest.Op) error {
	return func(op vaulttest.Op) error {
		if op.Name == "open" && op.Path == name {
			return errDisk
		}
		return nil
	}
}

func TestAnUnreadableNoteIsFoundByItsName(t *testing.T) {
	dir := vaulttest.New(t, notes)
	x := unstarted(t, dir, 0)
	x.faults.Set(failing("a.md"))
	x.Start()
	x.settle()
	if st := x.status(); st.IndexedPages != 4 || st.TotalPages != 4 || x.finds("alpha") != 0 || x.finds("a") != 3 {
		t.Errorf("built: %+v", st)
	}
	if to, ok := x.Current().Resolve(stratum.Path{}, "a"); !ok || to.String() != "a.md" {
		t.Error("a link to the note does not resolve")
	}
	x.refresh("a")
	if n := x.log.count("a note cannot be read"); n != 1 {
		t.Errorf("it was logged %d times, want once", n)
	}
	x.faults.Set(nil)
	if err := x.Reconcile(t.Context(), nil); err != nil || x.finds("alpha") != 1 {
		t.Errorf("once it can be read: %v, found %d times", err, x.finds("alpha"))
	}
	x.becomesFresh()
	x.faults.Set(failing("b.md"))
	x.write("b.md", "changed, but who knows to what")
	x.refresh("b")
	if x.finds("beta") != 0 || x.Current().Len() != 4 {
		t.Error("an unreadable note still shows its old text")
	}
}

// TestAFolderThatCannotBeLookedIntoKeepsItsNotes: that a scan does not list
// them does not mean that they are gone.
func TestAFolderThatCannotBeLookedIntoKeepsItsNotes(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	x.faults.Set(func(op vaulttest.Op) error {
		if op.Path == "sub" || op.Path == "sub/d.md" {
			return errDisk
		}
		return nil
	})
	for range 2 {
		if err := x.Reconcile(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	x.settle()
	if x.finds("delta") != 1 || x.count(`SELECT count(*) FROM pages`) != 4 {
		t.Error("the folder's note is gone")
	}
	if n := x.log.count("left out of the index"); n != 1 {
		t.Errorf("it was logged %d times, want once", n)
	}
	if x.status().IndexFresh {
		t.Error("fresh, although a note cannot be looked at")
	}
}

func TestANoteThatIsNamedTwice(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	x.write("e.md", "epsilon")
	x.refresh("e", "a", "e", "a")
	x.remove("e.md")
	x.refresh("e", "e")
	x.write("f.md", "phi")
	x.write("g.md", "chi")
	x.refresh("f", "g")
	if x.Current().Len() != 6 || x.finds("epsilon") != 0 || x.finds("phi") != 1 || x.finds("chi") != 1 {
		t.Errorf("%d notes, want 6", x.Current().Len())
	}
}

func TestASymbolicLinkIsNoNote(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	if err := os.Symlink("a.md", filepath.Join(x.dir, "link.md")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	x.refresh("link")
	x.rows.add(paths(t, "link")...)
	x.settle()
	if x.finds("alpha") != 1 || x.count(`SELECT count(*) FROM pages WHERE path = 'link.md'`) != 0 {
		t.Error("the link is indexed as a note")
	}
	x.becomesFresh()
}

func TestTheSameBytesWithAnotherTimeAreNoChange(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	before := x.Current()
	at := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(x.dir, "a.md"), at, at); err != nil {
		t.Fatal(err)
	}
	if x.status().IndexFresh {
		t.Error("fresh before anybody looked")
	}
	x.becomesFresh() // the status had it looked at
	known, _ := x.Current().Lookup(paths(t, "a")[0])
	if !known.Settled || known.Stamp.Modified != at.UnixNano() {
		t.Errorf("known: %+v", known)
	}
	if before.Blocks() != x.Current().Blocks() {
		t.Error("the text changed")
	}
}

func TestRebuildReadsWhatChangesMeanwhile(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	err := x.Rebuild(t.Context(), func(done, total int) {
		if done != total {
			return
		}
		// All notes are read, and nothing is published yet.
		x.write("a.md", "omega")
		x.remove("b.md")
		x.write("e.md", "epsilon")
		x.refresh("a", "b", "e")
		if err := x.put("c", "written meanwhile"); err != nil {
			t.Error(err)
		}
		// Back to what the live index knows, but not the new one.
		x.write("sub/d.md", "interlude")
		x.write("sub/d.md", "delta [[new]]\n")
		x.refresh("sub/d")
	})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"alpha": 0, "omega": 1, "beta": 0, "epsilon": 1, "written": 1, "delta": 1} {
		if got := x.finds(query); got != want {
			t.Errorf("%s is found %d times, want %d", query, got, want)
		}
	}
	x.becomesFresh()
	x.equalsTheDisk()
}

// TestRebuildDoesNotBringBackWhatItRead: a note that was other than the live
// index knows when the rebuild read it, and is as that knows it when its
// change is reported.
func TestRebuildDoesNotBringBackWhatItRead(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	x.write("a.md", "interlude")
	err := x.Rebuild(t.Context(), func(done, total int) {
		if done == total {
			x.write("a.md", "alpha\n")
			x.refresh("a")
		}
	})
	if err != nil || x.finds("interlude") != 0 || x.finds("alpha") != 1 {
		t.Errorf("%v; alpha is found %d times, interlude %d times", err, x.finds("alpha"), x.finds("interlude"))
	}
}

func TestARebuildThatIsCancelledChangesNothing(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	before := x.Current()
	ctx, cancel := context.WithCancel(t.Context())
	err := x.Rebuild(ctx, func(int, int) { cancel() })
	if !errors.Is(err, context.Canceled) || x.Current() != before {
		t.Errorf("error %v", err)
	}
	if err := x.Refresh(ctx, paths(t, "a")); !errors.Is(err, context.Canceled) {
		t.Errorf("refresh: %v", err)
	}
	if err := x.Reconcile(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("reconcile: %v", err)
	}
}

func TestAVaultThatVanishesIsNotAnEmptyOne(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	moved := x.dir + "-moved"
	if err := os.Rename(x.dir, moved); err != nil {
		t.Fatal(err)
	}
	defer os.Rename(moved, x.dir)
	if err := x.Reconcile(t.Context(), nil); !stratum.IsKind(err, stratum.External) {
		t.Errorf("reconcile: %v", err)
	}
	if err := x.Rebuild(t.Context(), nil); !stratum.IsKind(err, stratum.External) {
		t.Errorf("rebuild: %v", err)
	}
	if _, err := x.Status(t.Context()); !stratum.IsKind(err, stratum.External) {
		t.Errorf("status: %v", err)
	}
	if x.finds("alpha") != 1 {
		t.Error("the index forgot the notes")
	}
}
