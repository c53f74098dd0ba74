package kb_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

var errDisk = errors.New("the disk is tired")

// faulty opens the garden on a file system that fails on demand.
func faulty(t *testing.T, opt kb.Options) (k *kb.KB, dir string, faults *vaulttest.Faults) {
	t.Helper()
	dir, faults = vaulttest.New(t, garden), &vaulttest.Faults{}
	v, err := vault.OpenFS(dir, faults.Wrap)
	if err != nil {
		t.Fatal(err)
	}
	k = kb.OpenOn(v, opt)
	t.Cleanup(func() {
		faults.Set(nil)
		if err := k.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return k, dir, faults
}

// patience has a connection wait for a lock as long as the app's does.
const patience = "?_pragma=busy_timeout(5000)"

// refuse makes blocks.db refuse the rows of pages until allow is called.
func refuse(t *testing.T, dir string) (allow func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, ".pkm", "blocks.db")+patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run := func(q string) {
		t.Helper()
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TRIGGER no_insert BEFORE INSERT ON pages BEGIN SELECT RAISE(ABORT, 'refused'); END`)
	run(`CREATE TRIGGER no_delete BEFORE DELETE ON pages BEGIN SELECT RAISE(ABORT, 'refused'); END`)
	return func() { run(`DROP TRIGGER no_insert`); run(`DROP TRIGGER no_delete`) }
}

// TestAWriteIsWholeOrNothing holds decision 5.9: rows that cannot be written
// leave note, database and index as they were.
func TestAWriteIsWholeOrNothing(t *testing.T) {
	k, dir, _ := faulty(t, kb.Options{})
	before, err := k.GetPage(t.Context(), path(t, "soil"))
	if err != nil {
		t.Fatal(err)
	}
	allow := refuse(t, dir)
	_, err = k.WritePage(t.Context(), path(t, "soil"), "clay", nil)
	wantKind(t, err, stratum.External)
	_, err = k.WritePage(t.Context(), path(t, "deep/in/new"), "clay", nil)
	wantKind(t, err, stratum.External)
	_, err = k.AddTag(t.Context(), path(t, "soil"), "clay")
	wantKind(t, err, stratum.External)
	wantKind(t, k.DeletePage(t.Context(), path(t, "soil"), nil), stratum.External)
	after, err := k.GetPage(t.Context(), path(t, "soil"))
	if err != nil || after.Content != before.Content || after.ModifiedAt != before.ModifiedAt {
		t.Errorf("the note is %+v, %v; want it as it was", after, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "deep")); err == nil {
		t.Error("the folder of a note that was not written is left")
	}
	if len(search(t, k, "clay")) != 0 || len(search(t, k, "spade")) != 1 {
		t.Error("the index has what was not written")
	}
	allow()
	if _, err = k.WritePage(t.Context(), path(t, "soil"), "clay", nil); err != nil || len(search(t, k, "clay")) != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

// TestAnUndoThatFailsIsSaid and leaves an index that agrees with the disk.
func TestAnUndoThatFailsIsSaid(t *testing.T) {
	k, dir, faults := faulty(t, kb.Options{})
	allow := refuse(t, dir)
	renames := 0
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "rename" && op.Path == "soil.md" {
			if renames++; renames == 2 {
				return errDisk
			}
		}
		return nil
	})
	_, err := k.WritePage(t.Context(), path(t, "soil"), "clay", nil)
	wantKind(t, err, stratum.External)
	if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "undo") {
		t.Errorf("error %v", err)
	}
	allow()
	if got := vaulttest.Read(t, dir, "soil.md"); got != "clay" || len(search(t, k, "clay")) != 1 {
		t.Errorf("the note is %q and found %d times", got, len(search(t, k, "clay")))
	}
}

func TestAnotherProgramBetweenReadingAndWriting(t *testing.T) {
	k, dir, faults := faulty(t, kb.Options{})
	between := func(name string) {
		done := false
		faults.Set(func(op vaulttest.Op) error {
			if !done && (op.Name == name) {
				done = true
				if err := os.WriteFile(filepath.Join(dir, "soil.md"), []byte("theirs, a longer text"), 0o644); err != nil {
					t.Error(err)
				}
			}
			return nil
		})
	}
	d, err := k.GetPage(t.Context(), path(t, "soil"))
	if err != nil {
		t.Fatal(err)
	}
	at, err := stratum.ParseTime(d.ModifiedAt)
	if err != nil {
		t.Fatal(err)
	}
	between("link")
	_, err = k.WritePage(t.Context(), path(t, "soil"), "ours", &at)
	wantKind(t, err, stratum.Conflict)
	between("link")
	_, err = k.AddTag(t.Context(), path(t, "soil"), "ours")
	wantKind(t, err, stratum.Conflict)
	faults.Set(nil)
	if got := vaulttest.Read(t, dir, "soil.md"); got != "theirs, a longer text" {
		t.Errorf("the other program's text became %q", got)
	}
	if len(search(t, k, "theirs")) != 1 || len(search(t, k, "ours")) != 0 {
		t.Error("the index is not what the disk holds")
	}
}

func TestWhatCannotBeTidiedUpFailsNothing(t *testing.T) {
	var log bytes.Buffer
	k, _, faults := faulty(t, kb.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "remove" {
			return errDisk
		}
		return nil
	})
	if _, err := k.WritePage(t.Context(), path(t, "soil"), "clay", nil); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "drop a replaced file") {
		t.Errorf("log: %s", log.String())
	}
}

// TestAVaultThatCannotBeWritten goes on answering, and says what to do.
func TestAVaultThatCannotBeWritten(t *testing.T) {
	k, _, faults := faulty(t, kb.Options{})
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "mkdir" || op.Name == "create" {
			return syscall.EROFS
		}
		return nil
	})
	_, err := k.WritePage(t.Context(), path(t, "soil"), "clay", nil)
	wantKind(t, err, stratum.External)
	if m := stratum.AsError(err).Message; !strings.Contains(m, "read-only") {
		t.Errorf("message %q", m)
	}
	wantKind(t, k.DeletePage(t.Context(), path(t, "soil"), nil), stratum.External)
	_, err = k.RemoveTag(t.Context(), path(t, "soil"), "earth")
	wantKind(t, err, stratum.External)
	_, err = k.Reindex(t.Context(), true, nil)
	wantKind(t, err, stratum.External)
	if len(search(t, k, "spade")) != 1 {
		t.Error("search has stopped")
	}
}

func TestAVaultThatCannotBeRead(t *testing.T) {
	k, dir, faults := faulty(t, kb.Options{})
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" && (op.Path == "soil.md" || op.Path == ".") {
			return errDisk
		}
		return nil
	})
	_, err := k.GetPage(t.Context(), path(t, "soil"))
	wantKind(t, err, stratum.External)
	_, err = k.WritePage(t.Context(), path(t, "soil"), "x", nil)
	wantKind(t, err, stratum.External)
	_, err = k.AddTag(t.Context(), path(t, "soil"), "x")
	wantKind(t, err, stratum.External)
	wantKind(t, k.DeletePage(t.Context(), path(t, "soil"), nil), stratum.External)
	_, _, err = k.ListPages(t.Context(), stratum.Path{}, 9)
	wantKind(t, err, stratum.External)
	_, err = k.VaultInfo(t.Context())
	wantKind(t, err, stratum.External)
	_, err = k.Reindex(t.Context(), false, nil)
	wantKind(t, err, stratum.External)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" && op.Path == "soil.md" {
			return errDisk
		}
		return nil
	})
	vaulttest.Write(t, dir, "soil.md", "changed")
	pages, _, err := k.ListPages(t.Context(), stratum.Path{}, 9)
	if err != nil || len(pages) != 4 || pages[3].Title != "soil" {
		t.Errorf("a note that cannot be read is not listed: %+v, %v", pages, err)
	}
}

func TestAnIndexThatCannotBeBuilt(t *testing.T) {
	dir, faults := vaulttest.New(t, garden), &vaulttest.Faults{}
	v, err := vault.OpenFS(dir, faults.Wrap)
	if err != nil {
		t.Fatal(err)
	}
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" && op.Path == "." {
			return errDisk
		}
		return nil
	})
	k := kb.OpenOn(v, kb.Options{IndexWait: time.Millisecond})
	defer k.Close()
	wantKind(t, k.Settle(t.Context(), nil), stratum.External)
	p := path(t, "soil")
	for name, ask := range map[string]func(context.Context) error{
		"search": func(ctx context.Context) error { _, err := k.Search(ctx, "spade", 0, 9); return err },
		"tag":    func(ctx context.Context) error { _, err := k.SearchByTag(ctx, "plant", 9); return err },
		"links":  func(ctx context.Context) error { _, err := k.Backlinks(ctx, p, true); return err },
		"graph":  func(ctx context.Context) error { _, err := k.Graph(ctx, &p, 1); return err },
		"whole":  func(ctx context.Context) error { _, err := k.Graph(ctx, nil, 1); return err },
		"link":   func(ctx context.Context) error { _, err := k.ResolveLink(ctx, "soil"); return err },
		"words":  func(ctx context.Context) error { _, err := k.Autocomplete(ctx, "s", "page", 9); return err },
		"index":  func(ctx context.Context) error { _, err := k.Reindex(ctx, false, nil); return err },
	} {
		if err := ask(t.Context()); !stratum.IsKind(err, stratum.VaultLocked) {
			t.Errorf("%s: %v, want VaultLocked: no partial answers", name, err)
		}
	}
	if d, err := k.GetPage(t.Context(), p); err != nil || d.BlockCount != 2 {
		t.Errorf("reading works meanwhile: %+v, %v", d, err)
	}
	if d, err := k.WritePage(t.Context(), p, "clay", nil); err != nil || d.BlockCount != 1 {
		t.Errorf("writing works meanwhile: %+v, %v", d, err)
	}
}

// TestWithoutADatabase: the ids of blocks are those that it will get.
func TestWithoutADatabase(t *testing.T) {
	dir := vaulttest.New(t, garden)
	vaulttest.Mkdir(t, dir, ".pkm/blocks.db")
	k, err := kb.Open(dir, kb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	wantKind(t, k.Settle(t.Context(), nil), stratum.External)
	_, err = k.Reindex(t.Context(), false, nil)
	wantKind(t, err, stratum.External)
	before := search(t, k, "spade")
	if len(before) != 1 || before[0].BlockID == nil {
		t.Fatalf("hits: %+v", before)
	}
	if st, err := k.IndexStatus(t.Context()); err != nil || st.IndexFresh || st.IndexedPages != 4 {
		t.Errorf("status: %+v, %v", st, err)
	}
	if err := os.Remove(filepath.Join(dir, ".pkm", "blocks.db")); err != nil {
		t.Fatal(err)
	}
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if after := search(t, k, "spade"); *after[0].BlockID != *before[0].BlockID {
		t.Errorf("the id was %s and is %s", *before[0].BlockID, *after[0].BlockID)
	}
	if st, err := k.IndexStatus(t.Context()); err != nil || !st.IndexFresh {
		t.Errorf("status: %+v, %v", st, err)
	}
}

func TestTheLevelIsThatOfTheFileInPlace(t *testing.T) {
	dir := vaulttest.New(t, garden)
	session(t, dir)
	if err := os.Remove(filepath.Join(dir, ".pkm/mcp/blocks.level")); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if err := kb.NoteLevel(v, 1); err != nil || kb.WasLevel(t, dir) {
		t.Errorf("another process's index file is trusted: %v", err)
	}
}
