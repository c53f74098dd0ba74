package index

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"stratum"
	"stratum/internal/search"
	"stratum/internal/vault"
)

// Progress is told how many of total steps are done, from one goroutine at a
// time.
type Progress func(done, total int)

// Refresh reads the notes at paths again and makes the index say what they
// say now, or that they are gone. Before the index is ready it only remembers
// them.
func (x *Index) Refresh(ctx context.Context, paths []stratum.Path) error {
	return x.refresh(ctx, paths, nil)
}

func (x *Index) refresh(ctx context.Context, paths []stratum.Path, progress Progress) error {
	paths = slices.Compact(slices.SortedFunc(slices.Values(paths), stratum.Path.Compare))
	return x.inBatches(ctx, paths, progress, func(part []stratum.Path) {
		if x.noteMissed(part...) {
			x.refreshBatch(part)
		}
	})
}

// inBatches calls f with a few of paths at a time, order held.
func (x *Index) inBatches(ctx context.Context, paths []stratum.Path, progress Progress, f func([]stratum.Path)) error {
	done := 0
	for part := range slices.Chunk(paths, batch) {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.inOrder(func() { f(part) })
		done += len(part)
		if progress != nil {
			progress(done, len(paths))
		}
	}
	return nil
}

func (x *Index) inOrder(f func()) {
	x.order.Lock()
	defer x.order.Unlock()
	f()
}

// refreshBatch is a refresh of a few notes, each named once. order is held.
func (x *Index) refreshBatch(paths []stratum.Path) {
	snap := x.search.Snapshot()
	var changed []search.Doc
	var removed []stratum.Path
	for _, p := range paths {
		known, found := snap.Lookup(p)
		var f vault.File
		e, err := x.vault.Find(p)
		if err == nil {
			f, err = x.vault.Read(p)
		}
		switch {
		case stratum.IsKind(err, stratum.NotFound):
			if found {
				removed = append(removed, p)
			}
		case err != nil:
			if e == (vault.Entry{}) || found && known.Hash == (stratum.Hash{}) && known.Stamp == e.Stamp {
				continue
			}
			x.log.Warn("a note cannot be read", "note", p.String(), "error", err)
			changed = append(changed, unreadable(e))
		case found && known.Hash == f.Hash:
			now := search.Entry{Stamp: f.Stamp, Hash: f.Hash, Settled: x.settled(f.Stamp)}
			if now != known.Entry {
				x.search.Touch(p, now)
				x.markUnsaved()
			}
		default:
			changed = append(changed, x.doc(p, f))
		}
	}
	if len(changed)+len(removed) == 0 {
		return
	}
	staged := x.search.Stage(changed, removed)
	staged.Publish()
	x.markUnsaved()
	for _, d := range changed {
		x.rows.add(d.Path)
	}
	x.rows.add(removed...)
	x.rows.add(staged.Relinked...)
}

// Reconcile scans the vault and refreshes every note that differs from what
// the index says of it, or may (decision 8.3). blocks.db follows: see Settle.
// Before the index is ready it only remembers to do so. progress may be nil.
func (x *Index) Reconcile(ctx context.Context, progress Progress) error {
	x.mu.Lock()
	ready := x.ready
	x.rescan = x.rescan || !ready
	x.mu.Unlock()
	if !ready {
		return nil
	}
	scan, err := x.vault.Scan(ctx)
	if err != nil {
		return err
	}
	x.tellSkipped(scan.Skipped)
	if err := x.refresh(ctx, x.differences(scan, true), progress); err != nil {
		return err
	}
	x.search.Stamp(x.now())
	return nil
}

// differences returns the notes whose entry is not what the scan found:
// changed, new, and gone. With unsettled, also those whose bytes may have
// changed under the same stamp.
func (x *Index) differences(scan vault.Scan, unsettled bool) []stratum.Path {
	snap := x.search.Snapshot()
	var out []stratum.Path
	seen := 0
	for _, e := range scan.Entries {
		known, ok := snap.Lookup(e.Path)
		if ok {
			seen++
		}
		if !ok || known.Stamp != e.Stamp || unsettled && !known.Settled {
			out = append(out, e.Path)
		}
	}
	if seen == snap.Len() {
		return out
	}
	on := make(map[stratum.Path]struct{}, len(scan.Entries))
	for _, e := range scan.Entries {
		on[e.Path] = struct{}{}
	}
	for p := range snap.All() {
		if _, ok := on[p]; !ok {
			out = append(out, p)
		}
	}
	return out
}

// Rebuild builds the index anew from the notes, beside the live one, and puts
// it in its place; readers are served throughout (decision 8.5). The vault's
// write lock is held. blocks.db follows: see Settle. progress may be nil.
func (x *Index) Rebuild(ctx context.Context, progress Progress) error {
	if err := x.build(ctx, progress); err != nil {
		return err
	}
	x.rows.verify()
	debug.FreeOSMemory() // the old index, and what building took
	return nil
}

// build makes a snapshot from all notes on disk and publishes it.
func (x *Index) build(ctx context.Context, progress Progress) error {
	x.mu.Lock()
	x.builds++
	x.mu.Unlock()
	defer func() {
		x.mu.Lock()
		x.builds--
		x.mu.Unlock()
	}()
	scan, err := x.vault.Scan(ctx)
	if err != nil {
		return err
	}
	x.tellSkipped(scan.Skipped)
	b := search.NewBuilder()
	if err := x.readAll(ctx, scan.Entries, progress, b.Add); err != nil {
		return err
	}
	x.publish(b.Snapshot())
	return nil
}

// readAll reads and parses the notes, several at a time, and hands each to add.
func (x *Index) readAll(ctx context.Context, entries []vault.Entry, progress Progress, add func(search.Doc)) error {
	var g errgroup.Group
	work := make(chan vault.Entry)
	read := make(chan struct{})
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			for e := range work {
				d, err := x.read(e.Path)
				switch {
				case err == nil:
					add(d)
				case !stratum.IsKind(err, stratum.NotFound):
					x.log.Warn("a note cannot be read", "note", e.Path.String(), "error", err)
					add(unreadable(e))
				}
				read <- struct{}{}
			}
			return nil
		})
	}
	go func() {
		defer close(work)
		for _, e := range entries {
			select {
			case work <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		_ = g.Wait()
		close(read)
	}()
	done := 0
	for range read {
		done++
		if progress != nil {
			progress(done, len(entries))
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read the notes: %w", err)
	}
	return nil
}

// publish puts snap, or the live snapshot where snap is nil, in place after
// reading again what changed while it was made, and makes the index ready.
func (x *Index) publish(snap *search.Snapshot) {
	x.order.Lock()
	defer x.order.Unlock()
	if snap != nil {
		x.search.Replace(snap)
	}
	x.mu.Lock()
	missed := slices.Collect(maps.Keys(x.missed))
	clear(x.missed)
	x.mu.Unlock()
	x.refreshBatch(missed)
	x.search.Stamp(x.now())
	if snap != nil {
		x.markUnsaved()
	}

	x.mu.Lock()
	defer x.mu.Unlock()
	x.becomeReady()
}

// becomeReady opens the index for questions. mu is held.
func (x *Index) becomeReady() {
	x.failed = nil
	if !x.ready {
		x.ready = true
		close(x.readyCh)
	}
}
