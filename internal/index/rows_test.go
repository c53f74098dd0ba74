package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stratum"
	"stratum/internal/store"
	"stratum/internal/vaulttest"
)

func TestVerificationHealsRows(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	db := x.app()
	for _, q := range []string{
		`DELETE FROM blocks WHERE page_path = 'a.md'`,
		`UPDATE links SET target_page = 'nowhere'`,
		`UPDATE pages SET path = 'never.md' WHERE path = 'b.md'`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	x.Distrust()
	if x.status().IndexFresh {
		t.Error("fresh while the rows are being compared or wrong")
	}
	x.settle()
	x.equalsTheDisk()
	if n := x.count(`SELECT count(*) FROM pages`); n != 4 {
		t.Errorf("%d pages, want 4", n)
	}
}

func TestSettleReportsProgressAndErrors(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	allow := x.refuse()
	x.write("a.md", "one\n\ntwo")
	x.refresh("a")
	for range 2 { // the second time ends the pause after the first failure
		if err := x.Settle(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("settle: %v", err)
		}
	}
	if x.status().IndexFresh {
		t.Error("fresh, although rows are missing")
	}
	allow()
	done, total := 0, 0
	if err := x.Settle(t.Context(), func(d, n int) { done, total = d, n }); err != nil || done != 1 || total != 1 {
		t.Errorf("settle: %v, %d of %d", err, done, total)
	}
	x.becomesFresh()
	if n := x.log.count("bring blocks.db level"); n != 1 {
		t.Errorf("one failure was logged %d times", n)
	}
}

// TestANoteChangedWhileItsRowsAreWritten is written again.
func TestANoteChangedWhileItsRowsAreWritten(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 0)
	x.rows.take(t.Context()) // and, say, a has been read
	if err := x.put("a", "written meanwhile"); err != nil {
		t.Fatal(err)
	}
	if again, _ := x.rows.take(t.Context()); len(again) != 1 || again[0].String() != "a.md" {
		t.Errorf("%v are to be written again, want a.md: its rows may be those of before", again)
	}
	x.rows.finish(nil, true, errDisk)
	x.Start()
	x.settle()

	s := x.Store()
	read := make(map[stratum.Path]stratum.Stamp)
	for page := range x.rows.pages(paths(t, "a", "nowhere"), read) {
		x.write("a.md", "saved by another program")
		if _, err := s.Put(t.Context(), page); err != nil {
			t.Fatal(err)
		}
	}
	if len(read) != 1 {
		t.Errorf("read %v", read)
	}
	if err := x.rows.write(t.Context(), s, paths(t, "a")); err != nil {
		t.Fatal(err)
	}
	if n := x.count(`SELECT count(*) FROM blocks WHERE content = 'saved by another program'`); n != 1 {
		t.Errorf("%d rows say what the note says, want 1", n)
	}
}

func TestADatabaseDamagedInTheMiddleIsMadeAnew(t *testing.T) {
	var many strings.Builder
	for i := range 200 {
		many.WriteString("-- n" + strings.Repeat("x", i%20) + string(rune('a'+i/20)) + ".md --\n" + strings.Repeat("words to fill a page of the file\n\n", 12))
	}
	dir := vaulttest.New(t, many.String())
	x := started(t, dir)
	x.finish()
	spoil(t, filepath.Join(dir, ".pkm", "blocks.db"))

	y := started(t, dir)
	y.becomesFresh()
	y.equalsTheDisk()
	if kept, _ := filepath.Glob(filepath.Join(dir, ".pkm", "blocks.db.damaged-*")); len(kept) != 1 {
		t.Errorf("kept %v", kept)
	}
	old := y.Store()
	y.Suspect(old, errors.Join(errDisk, store.ErrCorrupt)) // as a write finds it
	y.Suspect(old, errDisk)
	y.settle()
	if y.Store() == old {
		t.Error("a damaged database is still in use")
	}
	now := y.Store()
	y.Suspect(old, store.ErrCorrupt) // told late
	y.settle()
	if y.Store() != now {
		t.Error("the new database is set aside for what the old one had")
	}
}

// spoil overwrites all but the beginning of a file.
func spoil(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const head = 20 * 4096
	if len(b) < 2*head {
		t.Fatalf("the file has only %d bytes", len(b))
	}
	for i := range b[head:] {
		b[head+i] = 0xa5
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestADatabaseThatIsReplacedIsOpenedAgain(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	for _, name := range []string{"blocks.db", "blocks.db-wal", "blocks.db-shm"} {
		_ = os.Remove(filepath.Join(x.dir, ".pkm", name))
	}
	var seen [2]stratum.Stamp
	if !x.foreign(t.Context(), x.Store(), &seen) || x.rows.level() {
		t.Error("nobody noticed that the database is gone")
	}
	x.becomesFresh()
	if n := x.count(`SELECT count(*) FROM pages`); n != 4 {
		t.Errorf("%d pages in the new database, want 4", n)
	}
	if x.foreign(t.Context(), x.Store(), &seen) {
		t.Error("the server's own writes count as another program's")
	}
	if _, err := x.app().Exec(`UPDATE blocks SET collapsed = 1`); err != nil {
		t.Fatal(err)
	}
	if !x.foreign(t.Context(), x.Store(), &seen) {
		t.Error("another program's write went unnoticed")
	}
}

func TestADatabaseThatCannotBeOpenedAtFirst(t *testing.T) {
	dir := vaulttest.New(t, notes)
	vaulttest.Mkdir(t, dir, ".pkm/blocks.db")
	x := unstarted(t, dir, 0)
	x.Start()
	if err := x.Begun(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Settle(t.Context(), nil); err == nil {
		t.Error("settled without a database")
	}
	if err := x.put("a", "omega"); err != nil || x.finds("omega") != 1 {
		t.Errorf("a write without a database: %v", err)
	}
	if err := x.Drop(t.Context(), paths(t, "b")[0]); err != nil {
		t.Error(err)
	}
	x.remove("b.md")
	var seen [2]stratum.Stamp
	if x.status().IndexFresh || !x.foreign(t.Context(), x.Store(), &seen) {
		t.Error("fresh without a database")
	}
	if err := os.Remove(filepath.Join(dir, ".pkm", "blocks.db")); err != nil {
		t.Fatal(err)
	}
	x.settle()
	x.becomesFresh()
	x.equalsTheDisk()
}

// readOnly makes a vault whose database, level with the notes, can only be
// read: SQLite finds no place for its shared memory.
func readOnly(t *testing.T) (dir string) {
	dir = vaulttest.New(t, notes)
	started(t, dir).finish()
	if err := os.Symlink("nowhere/else", filepath.Join(dir, ".pkm", "blocks.db-shm")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	return dir
}

func TestADatabaseThatCanOnlyBeRead(t *testing.T) {
	x := started(t, readOnly(t))
	if !x.Store().ReadOnly() {
		t.Fatal("the database is not read-only")
	}
	x.becomesFresh()
	var seen [2]stratum.Stamp
	x.foreign(t.Context(), x.Store(), &seen)
	if x.foreign(t.Context(), x.Store(), &seen) {
		t.Error("a database that nobody touched is compared again and again")
	}
	x.write("a.md", "omega")
	x.refresh("a")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := x.Settle(ctx, nil); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("settle: %v", err)
	}
	if x.finds("omega") != 1 || x.status().IndexFresh {
		t.Error("the index follows, and says that the database does not")
	}
}

func TestStatusOfAnIndexThatIsNotReady(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 0)
	st := x.status()
	if st.IndexFresh || st.TotalPages != 4 || st.IndexedPages != 0 || st.LastIndexedAt != nil {
		t.Errorf("%+v", st)
	}
	x.Start()
	x.settle()
	if st = x.status(); !st.IndexFresh || st.IndexedBlocks != 4 || st.LastIndexedAt == nil || x.Bytes() == 0 {
		t.Errorf("%+v", st)
	}
}

func TestLevelWaitsForAFewRowsOnly(t *testing.T) {
	x := unstarted(t, vaulttest.New(t, notes), 1)
	x.rows.add(paths(t, "a")...)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if x.rows.levelWithin(ended, time.Minute) || x.rows.levelWithin(t.Context(), time.Millisecond) {
		t.Error("level with rows to be written")
	}
	done := make(chan bool)
	go func() { done <- x.rows.levelWithin(t.Context(), time.Minute) }()
	x.rows.take(t.Context())
	x.rows.finish(nil, false, nil)
	if !<-done {
		t.Error("not level when the rows are written")
	}
	x.Distrust()
	if x.rows.levelWithin(t.Context(), time.Minute) {
		t.Error("level before all rows are compared")
	}
}
