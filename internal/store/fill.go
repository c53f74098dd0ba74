package store

import (
	"context"
	"fmt"
	"iter"
	"time"
)

const (
	// sliceMax is how long one transaction of Fill goes on: the app waits
	// five seconds for a lock before it fails.
	sliceMax = time.Second
	// gap is how long Fill leaves the database alone once it has held it for
	// sliceMax: a waiting program looks at least every 100 ms.
	gap = 110 * time.Millisecond
	// batchRows bounds the rows that Fill prepares ahead of a transaction.
	batchRows = 40_000
)

// Fill puts any number of pages, in transactions of at most about a second
// between which other programs get their turn, and returns how many pages it
// had to change. Pages are pulled between transactions, never within one. A
// write by another goroutine waits only for the page at hand. progress, which
// may be nil, is told how many pages are done. When the database is empty its
// secondary indices are made last; if Fill is interrupted before, the next
// Put or Open makes them.
func (s *Store) Fill(ctx context.Context, pages iter.Seq[Page], progress func(done int)) (changed int, err error) {
	f := &fill{s: s, progress: progress}
	if err := f.begin(ctx); err != nil {
		return 0, fmt.Errorf("fill: %w", classify(err))
	}
	for p := range pages {
		if err = f.add(ctx, p); err != nil {
			break
		}
	}
	if err == nil {
		err = f.flush(ctx)
	}
	if end := f.end(ctx); err == nil {
		err = end
	}
	if err != nil {
		return f.changed, fmt.Errorf("fill: %w", classify(err))
	}
	return f.changed, nil
}

// fill is one run of Fill.
type fill struct {
	s        *Store
	progress func(int)
	bare     bool // the late indices are dropped
	batch    []*draft
	rows     int           // of the batch
	held     time.Duration // that the database was held since the last gap
	done     int
	changed  int
}

// begin drops the late indices when there is nothing in the database.
func (f *fill) begin(ctx context.Context) error {
	unlock, err := f.s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if empty, err := f.s.isEmpty(ctx); err != nil || !empty {
		return err
	}
	err = f.s.transact(ctx, func(ctx context.Context) error {
		// Asked again under the lock: another process may have begun.
		empty, err := f.s.isEmpty(ctx)
		if err != nil || !empty {
			return err
		}
		f.bare = true
		return f.s.dropLateIndices(ctx)
	})
	f.bare = f.bare && err == nil
	if f.bare {
		f.s.filling.Store(true)
	}
	return err
}

// end makes the late indices. After ctx has ended it leaves that to the next
// Put or Open, so that stopping is quick.
func (f *fill) end(ctx context.Context) error {
	if !f.bare {
		return nil
	}
	defer f.s.filling.Store(false)
	unlock, err := f.s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := f.s.makeIndices(ctx); err != nil {
		return fmt.Errorf("make indices: %w", err)
	}
	return nil
}

// add takes a page into the batch, and puts the batch when it is full.
func (f *fill) add(ctx context.Context, p Page) error {
	d, err := newDraft(p)
	if err != nil {
		return err
	}
	f.batch = append(f.batch, d)
	f.rows += 1 + len(d.blocks) + len(d.links)
	if f.rows < batchRows {
		return nil
	}
	return f.flush(ctx)
}

// flush puts the batch.
func (f *fill) flush(ctx context.Context) error {
	batch := f.batch
	for len(batch) > 0 {
		n, err := f.slice(ctx, batch)
		if err != nil {
			return err
		}
		batch = batch[n:]
		if f.progress != nil {
			f.progress(f.done)
		}
		if err := f.rest(ctx); err != nil {
			return err
		}
	}
	clear(f.batch)
	f.batch, f.rows = f.batch[:0], 0
	return nil
}

// slice puts as many of the drafts as a transaction should and returns their
// number.
func (f *fill) slice(ctx context.Context, drafts []*draft) (done int, err error) {
	unlock, err := f.s.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if !f.bare {
		if err := f.s.ensureIndices(ctx); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	changed := 0
	stop := func() bool { return f.s.waiting.Load() > 0 || f.held+time.Since(began) > sliceMax }
	err = f.s.transact(ctx, func(quiet context.Context) error {
		began = time.Now()
		done, changed, err = f.s.putAll(ctx, quiet, drafts, stop)
		return err
	})
	if err != nil {
		return 0, err
	}
	f.held += time.Since(began)
	f.done += done
	f.changed += changed
	return done, nil
}

// rest leaves the database alone for a while when it was held long.
func (f *fill) rest(ctx context.Context) error {
	if f.held < sliceMax && f.s.waiting.Load() == 0 {
		return nil
	}
	f.held = 0
	t := time.NewTimer(gap)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
