// Package watch reports which notes of a vault other programs changed: a batch
// of paths when the file system tells, a request to scan the vault when it
// tells less than that, and requests at a steady pace where it tells nothing.
// It looks at names only and opens no file.
package watch

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"stratum"
)

// The modes of a [Watcher].
const (
	ModeNotify  = "fsnotify" // the file system reports changes
	ModePolling = "polling"  // the vault is to be scanned every few seconds
)

// Event is what happened since the event before it.
type Event struct {
	// Paths are the notes that were made, changed, renamed or removed, sorted,
	// each once. Some may be no notes (symbolic links), or not changed at all.
	Paths []stratum.Path
	// Rescan asks for a scan of the vault: more happened than Paths tell.
	Rescan bool
	// Trouble is a sentence for the operator, or "".
	Trouble string
}

// Options tune a [Watcher]; a zero field means its default.
type Options struct {
	Quiet    time.Duration // an event waits until nothing happened for so long; 50 ms
	MaxDelay time.Duration // but no longer than this; 250 ms
	Poll     time.Duration // between two Rescan events when polling; 2 s
	// ForcePolling polls where the file system could be watched, too.
	ForcePolling bool

	open func() (source, error) // nil is fsnotify
}

// Watcher watches one vault until it is closed.
type Watcher struct {
	dir    string
	opts   Options
	events chan Event
	mode   atomic.Value // string
	stop   chan struct{}
	closed sync.Once
	done   sync.WaitGroup

	// The fields below belong to the goroutine of run.
	feed    *feed           // nil when polling
	folders map[string]bool // watched folders, relative to dir, "/" between components; "" is dir
	entries int             // of those folders when they were added
	batch   batch
	rebuild bool // the watches no longer fit the folders
}

// New watches the notes below dir, an absolute folder. When it returns the
// watches stand, so a scan that follows misses nothing. What cannot be watched
// is polled, which the first event tells; only a dir that is no folder is an
// error.
func New(dir string, opts Options) (*Watcher, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("watch the vault: %w", err)
	}
	if !info.IsDir() {
		return nil, errors.New("watch the vault: it is no folder")
	}
	w := &Watcher{
		dir:    dir,
		opts:   opts.withDefaults(),
		events: make(chan Event),
		stop:   make(chan struct{}),
	}
	w.mode.Store(ModeNotify)
	w.begin()
	w.done.Go(w.run)
	return w, nil
}

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	set(&o.Quiet, 50*time.Millisecond)
	set(&o.MaxDelay, 250*time.Millisecond)
	set(&o.Poll, 2*time.Second)
	if o.open == nil {
		o.open = openNotify
	}
	return o
}

// Events returns the channel of events. It is closed by Close. What happens
// while nobody receives is gathered into the next event.
func (w *Watcher) Events() <-chan Event { return w.events }

// Mode returns [ModeNotify] or [ModePolling].
func (w *Watcher) Mode() string { return w.mode.Load().(string) }

// Close ends the watching and waits until nothing of it runs.
func (w *Watcher) Close() error {
	w.closed.Do(func() { close(w.stop) })
	w.done.Wait()
	return nil
}

// run gathers what happens and hands it out.
func (w *Watcher) run() {
	defer close(w.events)
	defer w.unwatch()

	poll := time.NewTicker(w.opts.Poll)
	defer poll.Stop()
	due := time.NewTimer(0) // fires when the batch is to be handed out
	due.Stop()
	defer due.Stop()
	var (
		since time.Time // of the batch's first event; zero when it is empty
		next  Event     // handed out as soon as it is received
	)
	for {
		if w.batch.empty() {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
			due.Reset(min(w.opts.Quiet, w.opts.MaxDelay))
		}
		var out chan<- Event
		if !next.empty() {
			out = w.events
		}
		select {
		case <-w.stop:
			return
		case out <- next:
			next = Event{}
		case item, ok := <-w.items():
			before := w.batch.changes
			w.take(item, ok)
			if w.batch.changes != before && !since.IsZero() {
				due.Reset(min(w.opts.Quiet, w.opts.MaxDelay-time.Since(since)))
			}
		case <-poll.C:
			if w.feed == nil {
				w.batch.rescan()
			}
		case <-due.C:
			if w.rebuild {
				w.begin()
			}
			next = w.batch.into(next)
		}
	}
}

// items returns the channel of what the file system reports; nil when polling.
func (w *Watcher) items() <-chan item {
	if w.feed == nil {
		return nil
	}
	return w.feed.out
}

// take puts one report into the batch. ok is false when the reports have
// ended although nobody closed the watcher.
func (w *Watcher) take(it item, ok bool) {
	switch {
	case !ok:
		w.poll("the system stopped reporting changes")
	case errors.Is(it.err, fsnotify.ErrEventOverflow):
		w.rebuild = true
		w.batch.rescan()
	case it.err != nil:
		w.batch.trouble("The vault's watcher met an error and scans the vault: " + it.err.Error() + ".")
		w.rebuild = true
		w.batch.rescan()
	default:
		w.change(it.event)
	}
}

// begin sets all watches anew, or begins to poll where that cannot be done.
func (w *Watcher) begin() {
	again := w.rebuild
	w.unwatch()
	w.rebuild = false
	w.folders, w.entries = make(map[string]bool), 0
	switch {
	case w.opts.ForcePolling:
		w.mode.Store(ModePolling)
		return
	case !canNotify:
		w.poll("this system cannot watch a folder without hindering its user")
		return
	case isRemote(w.dir):
		w.poll("it is on a network or user-space file system, which does not report other machines' changes")
		return
	}
	src, err := w.opts.open()
	if err != nil {
		w.poll(reason(err))
		return
	}
	w.feed = startFeed(src)
	if err := w.add("", false); err != nil {
		w.poll(reason(err))
		return
	}
	if again {
		w.batch.rescan()
	}
}

// poll gives up watching.
func (w *Watcher) poll(because string) {
	w.unwatch()
	w.rebuild = false
	w.mode.Store(ModePolling)
	w.batch.trouble(fmt.Sprintf("The vault cannot be watched, because %s; it is scanned every %v instead.", because, w.opts.Poll))
	w.batch.rescan()
}

func (w *Watcher) unwatch() {
	if w.feed != nil {
		w.feed.close()
		w.feed = nil
	}
}
