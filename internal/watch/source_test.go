package watch

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"stratum/internal/vaulttest"
)

// standIn is a source that a test speaks for.
type standIn struct {
	events chan fsnotify.Event
	errs   chan error
	add    func(folder string) error

	once  sync.Once
	mu    sync.Mutex // guards added
	added []string
}

func (s *standIn) Add(folder string) error {
	s.mu.Lock()
	s.added = append(s.added, filepath.Base(folder))
	s.mu.Unlock()
	if s.add == nil {
		return nil
	}
	return s.add(folder)
}

func (s *standIn) Events() <-chan fsnotify.Event { return s.events }
func (s *standIn) Errors() <-chan error          { return s.errs }

func (s *standIn) Close() error {
	s.once.Do(func() {
		close(s.events)
		close(s.errs)
	})
	return nil
}

// stage hands out a new stand-in each time a watcher opens a source.
type stage struct {
	add    func(folder string) error
	opened chan *standIn
	fail   error
}

func (s *stage) open() (source, error) {
	if s.fail != nil {
		return nil, s.fail
	}
	in := &standIn{events: make(chan fsnotify.Event), errs: make(chan error), add: s.add}
	s.opened <- in
	return in, nil
}

func staged(t *testing.T, s *stage) *Watcher {
	t.Helper()
	if !canNotify {
		t.Skip("this system is polled")
	}
	s.opened = make(chan *standIn, 10)
	return start(t, vaulttest.New(t, "-- a/a.md --\na\n-- b/b.md --\nb\n"),
		Options{Quiet: time.Millisecond, Poll: time.Millisecond, open: s.open})
}

func TestOverflow(t *testing.T) {
	s := &stage{}
	w := staged(t, s)
	first := <-s.opened
	first.errs <- fsnotify.ErrEventOverflow
	if got := rescanned(t, w); got.trouble != "" {
		t.Errorf("trouble = %q, want none", got.trouble)
	}
	second := <-s.opened
	second.mu.Lock()
	defer second.mu.Unlock()
	slices.Sort(second.added)
	if !slices.Equal(second.added[1:], []string{"a", "b"}) {
		t.Errorf("watched after the overflow: %q, want the vault, a and b", second.added)
	}
	if w.Mode() != ModeNotify {
		t.Errorf("mode = %s, want %s", w.Mode(), ModeNotify)
	}
}

func TestQueueOverflow(t *testing.T) {
	in := &standIn{events: make(chan fsnotify.Event), errs: make(chan error)}
	f := startFeed(in)
	defer f.close()
	for range queueMax + 1 {
		in.events <- fsnotify.Event{Name: "x.md", Op: fsnotify.Write}
	}
	if it := <-f.out; !errors.Is(it.err, fsnotify.ErrEventOverflow) {
		t.Errorf("the first report is %+v, want the overflow", it)
	}
}

func TestOtherError(t *testing.T) {
	s := &stage{}
	w := staged(t, s)
	(<-s.opened).errs <- errors.New("odd")
	got := until(t, w, "trouble", func(s seen) bool { return s.trouble != "" && s.rescan })
	if !strings.Contains(got.trouble, "odd") {
		t.Errorf("trouble = %q, want it to name the error", got.trouble)
	}
	<-s.opened // watching began anew
}

// TestFallback polls, says so and goes on asking for scans.
func TestFallback(t *testing.T) {
	limit := func(err error, on string) func(string) error {
		return func(folder string) error {
			if filepath.Base(folder) == on {
				return err
			}
			return nil
		}
	}
	for name, s := range map[string]*stage{
		"no watch left":        {add: limit(syscall.ENOSPC, "b")},
		"no descriptor left":   {add: limit(syscall.EMFILE, "a")},
		"fsnotify unavailable": {fail: errors.New("no such facility")},
		"no instance left":     {fail: syscall.EMFILE},
	} {
		t.Run(name, func(t *testing.T) {
			w := staged(t, s)
			if w.Mode() != ModePolling {
				t.Errorf("mode = %s, want %s", w.Mode(), ModePolling)
			}
			got := rescanned(t, w)
			if !strings.Contains(got.trouble, "cannot be watched") || strings.Contains(got.trouble, w.dir) {
				t.Errorf("trouble = %q, want it to say so, without the vault's path", got.trouble)
			}
			for range 2 {
				rescanned(t, w)
			}
		})
	}
}

// TestFallbackLater meets the limit when a folder appears.
func TestFallbackLater(t *testing.T) {
	s := &stage{}
	w := staged(t, s)
	in := <-s.opened
	in.mu.Lock()
	in.add = func(string) error { return syscall.ENOSPC }
	in.mu.Unlock()
	vaulttest.Mkdir(t, w.dir, "new")
	in.events <- fsnotify.Event{Name: filepath.Join(w.dir, "new"), Op: fsnotify.Create}
	until(t, w, "trouble", func(s seen) bool { return s.trouble != "" && s.rescan })
	if w.Mode() != ModePolling {
		t.Errorf("mode = %s, want %s", w.Mode(), ModePolling)
	}
}

func TestSourceEnds(t *testing.T) {
	s := &stage{}
	w := staged(t, s)
	do(t, (<-s.opened).Close())
	until(t, w, "trouble", func(s seen) bool { return s.trouble != "" && s.rescan })
}

// TestUnwatchableFolder goes on with the others.
func TestUnwatchableFolder(t *testing.T) {
	s := &stage{add: func(folder string) error {
		if filepath.Base(folder) == "a" {
			return syscall.EACCES
		}
		return nil
	}}
	w := staged(t, s)
	got := until(t, w, "trouble", func(s seen) bool { return s.trouble != "" })
	if !strings.Contains(got.trouble, "The folder a cannot be watched") || w.Mode() != ModeNotify {
		t.Errorf("trouble = %q in mode %s, want one about a, still watching", got.trouble, w.Mode())
	}
	(<-s.opened).events <- fsnotify.Event{Name: filepath.Join(w.dir, "b", "b.md"), Op: fsnotify.Write}
	told(t, w, "b/b.md")
}

// TestDelay bounds how long a report waits while more and more comes in.
func TestDelay(t *testing.T) {
	s := &stage{}
	if !canNotify {
		t.Skip("this system is polled")
	}
	s.opened = make(chan *standIn, 1)
	w := start(t, vaulttest.New(t, ""), Options{Quiet: time.Hour, MaxDelay: 50 * time.Millisecond, open: s.open})
	in := <-s.opened
	stop := make(chan struct{})
	var talk sync.WaitGroup
	talk.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			select {
			case <-stop:
				return
			case in.events <- fsnotify.Event{Name: filepath.Join(w.dir, "a.md"), Op: fsnotify.Write}:
			}
		}
	})
	told(t, w, "a.md")
	close(stop)
	talk.Wait()
}
