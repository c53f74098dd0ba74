package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"stratum"
	"stratum/internal/vaulttest"
)

// patience is how long a test waits for what must come.
const patience = 5 * time.Second

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start watches dir and ends with the test.
func start(t *testing.T, dir string, opts Options) *Watcher {
	t.Helper()
	w, err := New(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// notified is start for tests of what the file system reports.
func notified(t *testing.T, dir string) *Watcher {
	t.Helper()
	w := start(t, dir, Options{Quiet: 10 * time.Millisecond})
	if w.Mode() != ModeNotify {
		t.Skipf("the temporary folder cannot be watched: %v", <-w.Events())
	}
	return w
}

// seen is what a test has been told so far.
type seen struct {
	paths   []string
	rescan  bool
	trouble string
}

func (s *seen) add(e Event) {
	for _, p := range e.Paths {
		s.paths = append(s.paths, p.String())
	}
	s.rescan = s.rescan || e.Rescan
	s.trouble += e.Trouble
}

// until receives events until enough says so.
func until(t *testing.T, w *Watcher, what string, enough func(seen) bool) seen {
	t.Helper()
	var got seen
	late := time.After(patience)
	for {
		select {
		case e, ok := <-w.Events():
			if !ok {
				t.Fatalf("the events ended before %s; got %+v", what, got)
			}
			got.add(e)
			if enough(got) {
				return got
			}
		case <-late:
			t.Fatalf("no event tells %s; got %+v", what, got)
		}
	}
}

// told waits until all names are reported.
func told(t *testing.T, w *Watcher, names ...string) seen {
	t.Helper()
	return until(t, w, fmt.Sprint(names), func(s seen) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(s.paths, n) })
	})
}

func rescanned(t *testing.T, w *Watcher) seen {
	t.Helper()
	return until(t, w, "a rescan", func(s seen) bool { return s.rescan })
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	dir := vaulttest.New(t, "-- old.md --\nold\n-- deep/er/b.md --\nb\n")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	w := notified(t, dir)

	vaulttest.Write(t, dir, "new.md", "new")
	told(t, w, "new.md")
	vaulttest.Write(t, dir, "deep/er/b.md", "changed")
	told(t, w, "deep/er/b.md")
	do(t, os.Chtimes(at("old.md"), time.Time{}, time.Unix(1e9, 0)))
	told(t, w, "old.md")
	do(t, os.Rename(at("old.md"), at("deep/renamed.md")))
	told(t, w, "old.md", "deep/renamed.md")
	do(t, os.Remove(at("new.md")))
	told(t, w, "new.md")
}

func TestAtomicSave(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	w := notified(t, dir)
	vaulttest.Write(t, dir, ".a.md.swp", "new")
	do(t, os.Rename(filepath.Join(dir, ".a.md.swp"), filepath.Join(dir, "a.md")))
	if got := told(t, w, "a.md"); len(got.paths) != 1 {
		t.Errorf("paths = %q, want only the note", got.paths)
	}
}

// TestIgnored makes a note last, so that whatever was reported before it would
// have been seen.
func TestIgnored(t *testing.T) {
	dir := vaulttest.New(t, "-- templates/t.md --\nt\n-- .git/x.md --\nx\n-- notes/templates/n.md --\nn\n")
	w := notified(t, dir)
	for _, name := range []string{
		".pkm/blocks.db", ".pkm/mcp/history/x.md", ".git/x.md", "templates/t.md", "templates/new/t.md", "image.png",
		"A.MD", ".hidden.md", "notes/.stratum-abc.tmp", "bad\\name.md",
	} {
		vaulttest.Write(t, dir, name, "changed")
	}
	vaulttest.Write(t, dir, "notes/templates/n.md", "changed")
	got := told(t, w, "notes/templates/n.md")
	if len(got.paths) != 1 || got.rescan || got.trouble != "" {
		t.Errorf("got %+v, want only notes/templates/n.md", got)
	}
}

func TestNewFolder(t *testing.T) {
	dir := vaulttest.New(t, "")
	outside := t.TempDir()
	vaulttest.Write(t, outside, "in/a.md", "a")
	vaulttest.Write(t, outside, "in/deep/b.md", "b")
	w := notified(t, dir)

	vaulttest.Write(t, dir, "x/y/z/made.md", "z")
	told(t, w, "x/y/z/made.md")

	do(t, os.Rename(filepath.Join(outside, "in"), filepath.Join(dir, "in")))
	told(t, w, "in/a.md", "in/deep/b.md")
	vaulttest.Write(t, dir, "in/deep/c.md", "c")
	told(t, w, "in/deep/c.md")
}

func TestRenamedFolder(t *testing.T) {
	dir := vaulttest.New(t, "-- a/one.md --\n1\n-- a/deep/two.md --\n2\n-- z/z.md --\nz\n")
	w := notified(t, dir)
	names := []string{"a", "b", "z/c", "d", "e"}
	for i := range names[1:] {
		from, to := names[i], names[i+1]
		do(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
		rescanned(t, w)
		// The new names are reported, the old ones never again.
		for _, note := range []string{"/one.md", "/deep/two.md", "/deep/new.md"} {
			vaulttest.Write(t, dir, to+note, fmt.Sprint(i))
			if got := told(t, w, to+note); slices.Contains(got.paths, from+note) {
				t.Errorf("after the rename of %s to %s: %q", from, to, got.paths)
			}
		}
	}
}

func TestRemovedTree(t *testing.T) {
	dir := vaulttest.New(t, "-- a/b/c/d.md --\nd\n-- keep.md --\nk\n")
	w := notified(t, dir)
	do(t, os.RemoveAll(filepath.Join(dir, "a")))
	until(t, w, "the removal", func(s seen) bool { return s.rescan && slices.Contains(s.paths, "a/b/c/d.md") })
	// The same names again are watched again.
	vaulttest.Write(t, dir, "a/b/c/d.md", "again")
	told(t, w, "a/b/c/d.md")
	vaulttest.Write(t, dir, "a/b/c/d.md", "and again")
	told(t, w, "a/b/c/d.md")
}

func TestBurst(t *testing.T) {
	dir := vaulttest.New(t, "-- in/ --\n")
	w := notified(t, dir)
	var names []string
	for i := range 500 {
		names = append(names, fmt.Sprintf("in/%03d.md", i))
		vaulttest.Write(t, dir, names[i], "x")
	}
	told(t, w, names...)
}

func TestManyPathsBecomeRescan(t *testing.T) {
	var b batch
	for i := range pathsMax + 1 {
		p, err := stratum.ParsePath(fmt.Sprint(i))
		do(t, err)
		b.path(p)
	}
	if e := b.into(Event{}); !e.Rescan || len(e.Paths) != 0 {
		t.Errorf("rescan = %v with %d paths, want a rescan instead of paths", e.Rescan, len(e.Paths))
	}
	if !b.empty() {
		t.Error("the batch is not empty after it was handed out")
	}
}

func TestRootRemoved(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	w := notified(t, dir)
	do(t, os.Rename(dir, dir+"-moved"))
	until(t, w, "trouble", func(s seen) bool { return s.trouble != "" && s.rescan })
	if w.Mode() != ModePolling {
		t.Errorf("mode = %s, want %s", w.Mode(), ModePolling)
	}
}

func TestPolling(t *testing.T) {
	w := start(t, vaulttest.New(t, ""), Options{ForcePolling: true, Poll: time.Millisecond})
	for range 3 {
		if e := <-w.Events(); !e.Rescan || e.Trouble != "" {
			t.Errorf("event = %+v, want a plain rescan", e)
		}
	}
	if w.Mode() != ModePolling {
		t.Errorf("mode = %s, want %s", w.Mode(), ModePolling)
	}
}

func TestNoFolder(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	for _, bad := range []string{filepath.Join(dir, "missing"), filepath.Join(dir, "a.md")} {
		if w, err := New(bad, Options{}); err == nil {
			w.Close()
			t.Errorf("New(%s) gives no error", filepath.Base(bad))
		}
	}
}

func TestClose(t *testing.T) {
	w := start(t, vaulttest.New(t, ""), Options{})
	for range 2 {
		if err := w.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	for range w.Events() {
		t.Error("an event after Close")
	}
}
