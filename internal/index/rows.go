package index

import (
	"context"
	"errors"
	"iter"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"stratum"
	"stratum/internal/markdown"
	"stratum/internal/search"
	"stratum/internal/store"
)

// rows lets blocks.db follow the notes: a queue of notes whose rows may be
// other than they should, and one goroutine that works it off. What it writes
// is read from the disk when its turn comes, so an entry too many costs time
// and nothing else.
type rows struct {
	x *Index

	mu       sync.Mutex // guards the fields below
	queue    map[stratum.Path]struct{}
	unproved bool // the whole database is to be compared with the notes
	working  bool
	proving  bool          // that is being done
	err      error         // of the last attempt
	moved    chan struct{} // closed and replaced at every change of the above
	progress Progress      // of who came last to wait in Settle

	hurry    chan struct{} // ends the pause after a failure
	grieving grievance
}

func newRows(x *Index, proved bool) *rows {
	return &rows{x: x, queue: make(map[stratum.Path]struct{}), unproved: !proved, moved: make(chan struct{}), hurry: make(chan struct{}, 1)}
}

// add queues notes.
func (r *rows) add(paths ...stratum.Path) {
	if len(paths) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range paths {
		r.queue[p] = struct{}{}
	}
	r.signal()
}

// wrote is told of a note that was written, its rows too where done is set.
// Work that runs meanwhile may have read the note, or where its links lead,
// before, and put its rows after.
func (r *rows) wrote(p stratum.Path, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.working || !done {
		r.queue[p] = struct{}{}
		r.signal()
	}
}

// verify has every row compared with the notes.
func (r *rows) verify() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unproved = true
	r.signal()
}

// signal wakes whoever waits. mu is held.
func (r *rows) signal() {
	close(r.moved)
	r.moved = make(chan struct{})
}

// level reports whether the database says what the index says.
func (r *rows) level() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.x.Store()
	return r.idle() && s != nil && !s.Replaced()
}

// levelWithin reports whether no work is left, and waits a little when only a
// few notes are.
func (r *rows) levelWithin(ctx context.Context, wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	for {
		r.mu.Lock()
		idle, soon, moved := r.idle(), !r.unproved && !r.proving && len(r.queue) <= batch, r.moved
		r.mu.Unlock()
		if idle || !soon {
			return idle
		}
		select {
		case <-moved:
		case <-t.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (r *rows) idle() bool { return !r.unproved && !r.working && len(r.queue) == 0 }

// Settle waits until blocks.db is level with the index, and returns the error
// that keeps it from that. progress may be nil.
func (x *Index) Settle(ctx context.Context, progress Progress) error {
	r := x.rows
	r.mu.Lock()
	r.err, r.progress = nil, progress
	r.mu.Unlock()
	select {
	case r.hurry <- struct{}{}:
	default:
	}
	defer func() {
		r.mu.Lock()
		r.progress = nil
		r.mu.Unlock()
	}()
	for {
		r.mu.Lock()
		done, err, moved := r.idle(), r.err, r.moved
		r.mu.Unlock()
		if done || err != nil {
			return err
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run works the queue off until ctx ends.
func (r *rows) run(ctx context.Context) {
	select {
	case <-r.x.readyCh:
	case <-ctx.Done():
		return
	}
	for wait := time.Second; ; {
		paths, all := r.take(ctx)
		if ctx.Err() != nil {
			return
		}
		all, err := r.work(ctx, paths, all)
		r.finish(paths, all, err)
		if ctx.Err() != nil {
			return
		}
		r.grieving.tell(r.x.log, "bring blocks.db level", err)
		if err == nil {
			wait = time.Second
			continue
		}
		select {
		case <-time.After(wait):
		case <-r.hurry:
		case <-ctx.Done():
			return
		}
		wait = min(2*wait, time.Minute)
	}
}

// take waits for work and takes all there is.
func (r *rows) take(ctx context.Context) (paths []stratum.Path, all bool) {
	for {
		r.mu.Lock()
		if r.unproved || len(r.queue) > 0 {
			paths, all = slices.Collect(maps.Keys(r.queue)), r.unproved
			clear(r.queue)
			r.unproved, r.working, r.proving = false, true, all
			r.mu.Unlock()
			slices.SortFunc(paths, stratum.Path.Compare)
			return paths, all
		}
		moved := r.moved
		r.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// finish puts work that failed back.
func (r *rows) finish(paths []stratum.Path, all bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.working, r.proving, r.err = false, false, err
	if err != nil {
		r.unproved = r.unproved || all
		for _, p := range paths {
			r.queue[p] = struct{}{}
		}
	}
	r.signal()
}

// work brings the rows of the notes at paths level, and with all, or when the
// database had to be opened anew, those of every note. It reports which.
func (r *rows) work(ctx context.Context, paths []stratum.Path, all bool) (everything bool, err error) {
	for range 2 {
		s, anew, err := r.x.db.use(ctx)
		if err != nil {
			return all, err
		}
		all = all || anew
		if err = r.bring(ctx, s, paths, all); !errors.Is(err, store.ErrCorrupt) {
			return all, err
		}
		r.x.db.damaged.Store(s) // and once more, with a new one
	}
	return all, errStillDamaged
}

var errStillDamaged = errors.New("blocks.db is damaged again as soon as it is made anew")

func (r *rows) bring(ctx context.Context, s *store.Store, paths []stratum.Path, all bool) error {
	if all {
		differ, err := r.compare(ctx, s)
		if err != nil {
			return err
		}
		paths = append(paths, differ...)
		defer debug.FreeOSMemory()
	}
	if len(paths) == 0 {
		return nil
	}
	return r.write(ctx, s, paths)
}

// compare returns the notes whose rows are not what they should be, and the
// pages that have rows and no note.
func (r *rows) compare(ctx context.Context, s *store.Store) ([]stratum.Path, error) {
	have := make(map[stratum.Path]store.PageDigest)
	for d, err := range s.Digests(ctx) {
		if err != nil {
			return nil, err
		}
		have[d.Path] = d
	}
	var differ []stratum.Path
	for p := range r.x.Current().All() {
		digest, found := have[p]
		delete(have, p)
		if found && r.same(p, digest) {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		differ = append(differ, p)
	}
	slices.SortFunc(differ, stratum.Path.Compare)
	return append(differ, slices.Collect(maps.Keys(have))...), nil
}

// same reports whether the rows with this digest are those of the note at p.
func (r *rows) same(p stratum.Path, have store.PageDigest) bool {
	d, err := r.x.read(p)
	if err != nil {
		return false
	}
	return store.DigestOf(pageOf(d, r.x.Current())) == have
}

// write makes the rows of the notes at paths say what the notes say now.
func (r *rows) write(ctx context.Context, s *store.Store, paths []stratum.Path) error {
	var gone []stratum.Path
	for _, p := range paths {
		if _, err := r.x.vault.Find(p); stratum.IsKind(err, stratum.NotFound) {
			gone = append(gone, p)
		}
	}
	if len(gone) > 0 {
		if err := s.Delete(ctx, gone...); err != nil {
			return err
		}
	}
	read := make(map[stratum.Path]stratum.Stamp, len(paths))
	pages := r.pages(paths, read)
	if _, err := s.Fill(ctx, pages, r.report(len(paths))); err != nil {
		return err
	}
	// A note that was saved between its reading and its rows has had newer
	// rows overwritten.
	for p, stamp := range read {
		if now, err := r.x.vault.Find(p); err != nil || now.Stamp != stamp {
			r.add(p)
		}
	}
	return nil
}

// pages reads the notes at paths, and notes the stamps of those it could.
func (r *rows) pages(paths []stratum.Path, read map[stratum.Path]stratum.Stamp) iter.Seq[store.Page] {
	return func(yield func(store.Page) bool) {
		for _, p := range paths {
			d, err := r.x.read(p)
			if err != nil {
				continue
			}
			read[p] = d.Entry.Stamp
			if !yield(pageOf(d, r.x.Current())) {
				return
			}
		}
	}
}

func (r *rows) report(total int) func(done int) {
	return func(done int) {
		r.mu.Lock()
		progress := r.progress
		r.mu.Unlock()
		if progress != nil {
			progress(done, total)
		}
	}
}

// pageOf returns what the rows of a note are made from: the note, and where
// its links lead in a snapshot. The snapshot may know another version of the
// note, so it is asked link by link.
func pageOf(d search.Doc, snap *search.Snapshot) store.Page {
	p := store.Page{Path: d.Path, Note: d.Note, Modified: d.Entry.Stamp.Time()}
	for _, l := range d.Note.Links {
		if l.Block >= 0 {
			p.Targets = append(p.Targets, target(d.Path, l.Target, snap))
		}
	}
	return p
}

// target returns the path of the note that a link leads to, else the page as
// written; "" for a link within the note.
func target(from stratum.Path, link string, snap *search.Snapshot) string {
	if to, ok := snap.Resolve(from, link); ok {
		return to.String()
	}
	page, _ := markdown.SplitTarget(link)
	return page
}
