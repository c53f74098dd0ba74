package watch

import (
	"github.com/fsnotify/fsnotify"
)

// source is what reports changes: fsnotify, or a test's stand-in. Both
// channels are closed by Close.
type source interface {
	Add(folder string) error
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Close() error
}

type notify struct{ w *fsnotify.Watcher }

func openNotify() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return notify{w}, nil
}

func (n notify) Add(folder string) error       { return n.w.Add(folder) }
func (n notify) Events() <-chan fsnotify.Event { return n.w.Events }
func (n notify) Errors() <-chan error          { return n.w.Errors }
func (n notify) Close() error                  { return n.w.Close() }

// queueMax is how many reports wait in a feed; more are an overflow, like that
// of the kernel's own queue.
const queueMax = 1 << 14

// item is one report: an event, or an error.
type item struct {
	event fsnotify.Event
	err   error
}

// feed takes reports off a source at once. A source may hold a lock of its own
// while it hands over an error, and Add needs that lock; so whoever calls Add
// must never be the one who receives.
type feed struct {
	src  source
	out  chan item // closed when the source ends
	stop chan struct{}
	done chan struct{}
}

func startFeed(src source) *feed {
	f := &feed{src: src, out: make(chan item), stop: make(chan struct{}), done: make(chan struct{})}
	go f.run()
	return f
}

// close ends the feed and its source, and waits for both.
func (f *feed) close() {
	close(f.stop)
	_ = f.src.Close() // a source that does not close ends with the process
	<-f.done
}

func (f *feed) run() {
	defer close(f.done)
	defer close(f.out)
	events, errs := f.src.Events(), f.src.Errors()
	var queue []item
	for events != nil || errs != nil || len(queue) > 0 {
		var (
			out  chan<- item
			head item
		)
		if len(queue) > 0 {
			out, head = f.out, queue[0]
		}
		select {
		case <-f.stop:
			return
		case out <- head:
			queue = queue[1:]
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			queue = append(queue, item{event: e})
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			queue = append(queue, item{err: err})
		}
		if len(queue) > queueMax {
			queue = []item{{err: fsnotify.ErrEventOverflow}}
		}
	}
}
