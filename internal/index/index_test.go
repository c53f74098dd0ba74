package index

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"stratum"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// notes is a small vault; b and c link to a, d to a note that is not there.
const notes = `
-- a.md --
alpha
-- b.md --
beta [[a]]
-- c.md --
gamma [[a]] again
-- sub/d.md --
delta [[new]]
`

// subject is an index on trial, with its vault's file system in hand.
type subject struct {
	*Index
	t      *testing.T
	dir    string
	faults *vaulttest.Faults
	log    *record
}

// record is a log that a test may read.
type record struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(b)
}

func (r *record) count(s string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.buf.String(), s)
}

// unstarted opens the vault at dir and starts nothing.
func unstarted(t *testing.T, dir string, proved uint64) *subject {
	t.Helper()
	x := &subject{t: t, dir: dir, faults: &vaulttest.Faults{}, log: &record{}}
	v, err := vault.OpenFS(dir, x.faults.Wrap)
	if err != nil {
		t.Fatal(err)
	}
	x.Index = New(v, proved, slog.New(slog.NewTextHandler(x.log, nil)))
	x.Opened()
	t.Cleanup(func() {
		x.faults.Set(nil)
		if _, err := x.Close(); err != nil && x.Store() != nil {
			t.Errorf("close: %v", err)
		}
		v.Close()
		if x.log.count(dir) > 0 {
			t.Errorf("the log holds the vault's absolute path:\n%s", x.log.buf.String())
		}
	})
	return x
}

// started opens the vault at dir and waits until everything is level.
func started(t *testing.T, dir string) *subject {
	t.Helper()
	x := unstarted(t, dir, 0)
	x.Start()
	x.settle()
	return x
}

func (x *subject) settle() {
	x.t.Helper()
	if err := x.Begun(x.t.Context()); err != nil {
		x.t.Fatal(err)
	}
	if err := x.Settle(x.t.Context(), nil); err != nil {
		x.t.Fatal(err)
	}
}

// finish closes the index before the test is over and returns what it proved.
func (x *subject) finish() (proved uint64) {
	x.t.Helper()
	proved, err := x.Close()
	if err != nil {
		x.t.Fatal(err)
	}
	x.db.live.Store(nil)
	return proved
}

func (x *subject) refresh(names ...string) {
	x.t.Helper()
	if err := x.Refresh(x.t.Context(), paths(x.t, names...)); err != nil {
		x.t.Fatal(err)
	}
}

func (x *subject) write(name, content string) { vaulttest.Write(x.t, x.dir, name, content) }

func (x *subject) remove(name string) {
	x.t.Helper()
	if err := os.Remove(filepath.Join(x.dir, name)); err != nil {
		x.t.Fatal(err)
	}
}

func (x *subject) finds(query string) int { return x.Current().Search(query, 0, 100).Total }

func (x *subject) status() stratum.IndexStatus {
	x.t.Helper()
	st, err := x.Status(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	return st
}

// becomesFresh asks until the index is fresh, as a client would.
func (x *subject) becomesFresh() {
	x.t.Helper()
	var st stratum.IndexStatus
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if st = x.status(); st.IndexFresh {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	x.t.Fatalf("not fresh: %+v\n%s", st, x.log.buf.String())
}

// count asks blocks.db as the desktop app would.
func (x *subject) count(query string) (n int) {
	x.t.Helper()
	db := x.app()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		x.t.Fatal(err)
	}
	return n
}

func (x *subject) app() *sql.DB {
	x.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(x.dir, ".pkm", "blocks.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(func() { db.Close() })
	return db
}

func paths(t *testing.T, names ...string) []stratum.Path {
	t.Helper()
	var out []stratum.Path
	for _, n := range names {
		p, err := stratum.ParsePath(n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// put saves a note the way kb does.
func (x *subject) put(name, content string) error {
	x.t.Helper()
	p := paths(x.t, name)[0]
	unlock, err := x.vault.Lock(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	defer unlock()
	c, err := x.vault.Replace(p, content)
	if err != nil {
		x.t.Fatal(err)
	}
	if err := x.Put(context.WithoutCancel(x.t.Context()), p, content, c.Stamp); err != nil {
		if err := c.Undo(); err != nil {
			x.t.Fatal(err)
		}
		return err
	}
	return c.Commit()
}

func TestPutAndDrop(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	if err := x.put("new", "brand new"); err != nil {
		t.Fatal(err)
	}
	if x.finds("brand") != 1 || x.count(`SELECT count(*) FROM blocks WHERE page_path = 'new.md'`) != 1 {
		t.Error("a written note is not in index and database when the call returns")
	}
	x.settle()
	if n := x.count(`SELECT count(*) FROM links WHERE target_page = 'new.md'`); n != 1 {
		t.Errorf("%d links lead to the new note, want 1", n)
	}
	x.remove("new.md")
	if err := x.Drop(t.Context(), paths(t, "new")[0]); err != nil {
		t.Fatal(err)
	}
	x.settle()
	if x.finds("brand") != 0 || x.count(`SELECT count(*) FROM links WHERE target_page = 'new'`) != 1 {
		t.Error("a dropped note leaves traces")
	}
	x.becomesFresh()
}

// refuse makes blocks.db refuse writes until the returned function is called.
func (x *subject) refuse() (allow func()) {
	x.t.Helper()
	db := x.app()
	for _, event := range []string{"INSERT ON blocks", "DELETE ON pages", "INSERT ON pages"} {
		name := strings.Fields(event)
		if _, err := db.Exec(`CREATE TRIGGER refuse_` + name[0] + name[2] + ` BEFORE ` + event + ` BEGIN SELECT RAISE(ABORT, 'refused'); END`); err != nil {
			x.t.Fatal(err)
		}
	}
	return func() {
		for _, name := range []string{"INSERTblocks", "DELETEpages", "INSERTpages"} {
			if _, err := db.Exec(`DROP TRIGGER refuse_` + name); err != nil {
				x.t.Fatal(err)
			}
		}
	}
}

func TestAFailedWriteChangesNeither(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	allow := x.refuse()
	if err := x.put("a", "omega"); err == nil {
		t.Error("no error")
	}
	if err := x.Drop(t.Context(), paths(t, "b")[0]); err == nil {
		t.Error("no error")
	}
	if x.finds("omega") != 0 || x.finds("beta") != 1 {
		t.Error("the index changed")
	}
	allow()
	if err := x.put("a", "omega"); err != nil || x.finds("omega") != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

// TestAPanicInAWriteLeavesNoLock: a tool's panic ends one request, not the
// writing (decision 1.12).
func TestAPanicInAWriteLeavesNoLock(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		staged := x.search.Stage(nil, nil)
		defer staged.Discard()
		panic("while rows are written")
	}()
	if err := x.put("a", "omega"); err != nil || x.finds("omega") != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

// TestWritesOfAllKindsAtOnce ends where the disk does, whoever was last.
func TestWritesOfAllKindsAtOnce(t *testing.T) {
	x := started(t, vaulttest.New(t, notes))
	x.faults.Set(func(op vaulttest.Op) error {
		if op.Name == "sync" || op.Name == "syncfolder" {
			return vaulttest.Pretend
		}
		return nil
	})
	var all sync.WaitGroup
	each := func(f func(i int)) {
		all.Go(func() {
			for i := range 25 {
				f(i)
			}
		})
	}
	var writing sync.Mutex // as kb's
	each(func(i int) {
		writing.Lock()
		defer writing.Unlock()
		if err := x.put("a", "---\naliases: [n"+strings.Repeat("x", i%3)+"]\n---\n[[n]] [[nx]] own"); err != nil {
			t.Error(err)
		}
	})
	each(func(i int) {
		x.write("b.md", strings.Repeat("outside ", i+1)+"[[n]] [[c]]")
		x.refresh("b", "c", "sub/d")
	})
	each(func(i int) {
		writing.Lock()
		defer writing.Unlock()
		if i%2 == 0 {
			x.write("c.md", "comes and goes [[nx]]")
		} else {
			x.remove("c.md")
		}
		x.refresh("c")
	})
	all.Go(func() {
		for range 3 {
			writing.Lock()
			err := x.Rebuild(context.WithoutCancel(t.Context()), nil)
			writing.Unlock()
			if err != nil {
				t.Error(err)
			}
		}
	})
	all.Go(func() {
		for range 10 {
			if err := x.Reconcile(t.Context(), nil); err != nil {
				t.Error(err)
			}
			x.status()
		}
	})
	all.Wait()
	x.becomesFresh()
	x.equalsTheDisk()
}

// equalsTheDisk compares index and rows with what the notes say.
func (x *subject) equalsTheDisk() {
	x.t.Helper()
	scan, err := x.vault.Scan(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	for _, e := range scan.Entries {
		f, err := x.vault.Read(e.Path)
		if err != nil {
			x.t.Fatal(err)
		}
		if known, ok := x.Current().Lookup(e.Path); !ok || known.Hash != f.Hash {
			x.t.Errorf("%s: the index has another text", e.Path)
		}
	}
	if x.Current().Len() != len(scan.Entries) {
		x.t.Errorf("%d notes in the index, %d on the disk", x.Current().Len(), len(scan.Entries))
	}
	differ, err := x.rows.compare(x.t.Context(), x.Store())
	if err != nil || len(differ) > 0 {
		x.t.Errorf("rows differ: %v, %v", differ, err)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{"é": "é", "caf\xe9": "caf\uFFFD"} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if !slices.Equal([]byte(Text("a\x00b")), []byte("a\x00b")) {
		t.Error("control characters are text")
	}
}
