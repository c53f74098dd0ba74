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

func TestANoteDeletedDuringTheFirstBuildIsGone(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 0)
	err := x.build(t.Context(), func(done, total int) {
		if done == total {
			x.remove("a.md")
			x.write("b.md", "omega")
			x.refresh("a", "b")
		}
	})
	if err != nil || x.finds("alpha") != 0 || x.finds("beta") != 0 || x.finds("omega") != 1 {
		t.Errorf("%v; %d notes", err, x.Current().Len())
	}
}

func TestWhatIsToldBeforeTheIndexIsReadyIsNotLost(t *testing.T) {
	dir := vaulttest.New(t, notes)
	x := started(t, dir)
	x.finish()

	y := unstarted(t, dir, 0)
	y.remove("a.md") // after a scan that is still to come, as far as y knows
	y.refresh("a")
	if y.Current().Len() != 0 || len(y.missed) != 1 {
		t.Fatalf("%d notes, %d missed; want a note to read when the index is published", y.Current().Len(), len(y.missed))
	}
	if err := y.put("b", "written early"); err != nil {
		t.Fatal(err)
	}
	if err := y.Reconcile(t.Context(), nil); err != nil || !y.rescan {
		t.Errorf("a scan that is asked for early: %v", err)
	}
	y.write("e.md", "epsilon")
	y.Start()
	y.settle()
	if y.finds("alpha") != 0 || y.finds("early") != 1 || y.finds("epsilon") != 1 {
		t.Error("the index is not what the disk holds")
	}
	y.becomesFresh()
	y.equalsTheDisk()
}

func TestAStartFromTheFile(t *testing.T) {
	dir := vaulttest.New(t, notes+"-- e.md --\ne\n-- f.md --\nf\n")
	x := started(t, dir)
	proved := x.finish()
	if proved == 0 {
		t.Fatal("nothing is proved when all is level")
	}
	y := unstarted(t, dir, proved)
	if !y.rows.level() {
		t.Error("a proved database is not trusted")
	}
	y.write("a.md", "omega")
	y.Start()
	y.settle()
	if y.finds("omega") != 1 || y.finds("beta") != 1 {
		t.Error("an edit made while no server ran is not found")
	}
	if n := y.count(`SELECT count(*) FROM blocks WHERE content = 'omega'`); n != 1 {
		t.Errorf("%d rows say so, want 1", n)
	}
	if again := y.finish(); again == 0 || again == proved {
		t.Errorf("proved %x, then %x", proved, again)
	}
}

// TestAProofIsForOneFile: another process may have put another index file in
// place since, one that knows of notes whose rows are still to be written.
func TestAProofIsForOneFile(t *testing.T) {
	dir := vaulttest.New(t, notes)
	x := started(t, dir)
	proved := x.finish()
	y := unstarted(t, dir, proved+1)
	if _, err := y.app().Exec(`DELETE FROM links`); err != nil {
		t.Fatal(err)
	}
	y.Start()
	y.settle()
	if n := y.count(`SELECT count(*) FROM links`); n != 3 {
		t.Errorf("%d links, want 3", n)
	}
}

func TestADamagedFileIsSetAside(t *testing.T) {
	dir := vaulttest.New(t, notes)
	vaulttest.Write(t, dir, ".pkm/mcp/"+File, "no index")
	x := started(t, dir)
	if kept, _ := filepath.Glob(filepath.Join(dir, ".pkm/mcp", File+".damaged-*")); len(kept) != 1 || x.finds("alpha") != 1 {
		t.Errorf("kept %v", kept)
	}
}

func TestAnIndexThatCannotBeBuiltSaysWhy(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 0)
	x.faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" && op.Path == "." {
			return errDisk
		}
		return nil
	})
	x.Start()
	if err := x.Begun(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("begun: %v", err)
	}
	err := x.Wait(t.Context(), time.Millisecond)
	if !stratum.IsKind(err, stratum.VaultLocked) || stratum.AsError(err).RetryAfter == 0 || !errors.Is(err, errDisk) {
		t.Errorf("wait: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Wait(ctx, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("wait: %v", err)
	}
	if err := x.Settle(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("settle: %v", err)
	}
	x.faults.Set(nil)
	if err := x.Wait(t.Context(), time.Minute); err != nil {
		t.Errorf("once it can be built: %v", err)
	}
	x.settle()
}

func TestClosingWhileTheIndexIsBuilt(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 0)
	x.Start()
	if proved, err := x.Close(); err != nil || proved != 0 && x.finds("alpha") == 0 {
		t.Errorf("proved %x, %v", proved, err)
	}
	x.db.live.Store(nil)
}

// TestADatabaseThatAnotherProgramHoldsDelaysNoStart holds decision 8.2: a
// client is answered at once, and the rows follow when the other is done.
func TestADatabaseThatAnotherProgramHoldsDelaysNoStart(t *testing.T) {
	dir := vaulttest.New(t, notes)
	first := started(t, dir)
	first.settle()
	db := first.app()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	first.finish()
	if _, err := conn.ExecContext(t.Context(), "PRAGMA journal_mode = DELETE"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	x := unstarted(t, dir, 0)
	x.Start()
	if err := x.Wait(t.Context(), time.Minute); err != nil || x.Store() != nil {
		t.Errorf("a start beside a held database: store %v, %v", x.Store(), err)
	}
	if x.status().IndexFresh {
		t.Error("fresh without a database")
	}
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	x.becomesFresh()
}

// TestAVaultThatTakesNoFileDoesWithout complains once, not at every scan.
func TestAVaultThatTakesNoFileDoesWithout(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 0)
	x.faults.Set(func(op vaulttest.Op) error {
		if op.Name == "create" {
			return errDisk
		}
		return nil
	})
	x.Start()
	x.settle()
	for range 3 {
		x.saveOrTell()
	}
	if n := x.log.count("save the search index"); n != 1 {
		t.Errorf("it was logged %d times, want once", n)
	}
	if proved := x.finish(); proved != 0 {
		t.Error("the level of a file that could not be written is proved")
	}
	if _, err := os.Stat(filepath.Join(x.dir, ".pkm/mcp", File)); err == nil {
		t.Error("there is a file")
	}
}
