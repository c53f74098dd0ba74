package index

import (
	"context"
	"fmt"
	"maps"
	"runtime"
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
// say now, or that they are gone.
func (x *Index) Refresh(ctx context.Context, paths []stratum.Path) error {
	return x.refresh(ctx, paths, nil)
}

func (x *Index) refresh(ctx context.Context, paths []stratum.Path, progress Progress) error {
	for done := 0; done < len(paths); done += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := paths[done:min(done+batch, len(paths))]
		x.order.Lock()
		x.noteMissed(x.refreshBatch(part)...)
		x.order.Unlock()
		if progress != nil {
			progress(done+len(part), len(paths))
		}
	}
	return nil
}

// refreshBatch is a refresh of a few notes; it returns those that had changed.
// order is held.
func (x *Index) refreshBatch(paths []stratum.Path) []stratum.Path {
	snap := x.search.Snapshot()
	var changed []search.Doc
	var removed []stratum.Path
	for _, p := range paths {
		known, found := snap.Lookup(p)
		f, err := x.vault.Read(p)
		switch {
		case stratum.IsKind(err, stratum.NotFound):
			if found {
				removed = append(removed, p)
			}
		case err != nil:
			stamp, serr := x.vault.Stat(p)
			if serr != nil || found && known.Hash == (stratum.Hash{}) && known.Stamp == stamp {
				continue
			}
			x.log.Warn("a note cannot be read", "note", p.String(), "error", err)
			changed = append(changed, unreadable(vault.Entry{Path: p, Stamp: stamp}))
		case found && known.Hash == f.Hash:
			e := known.Entry
			e.Stamp, e.Settled = f.Stamp, x.settled(f.Stamp)
			if e != known.Entry {
				x.search.Touch(p, e)
				x.markUnsaved()
			}
		default:
			changed = append(changed, x.doc(p, f))
		}
	}
	if len(changed)+len(removed) == 0 {
		return nil
	}
	staged := x.search.Stage(changed, removed)
	staged.Publish()
	x.markUnsaved()
	all := removed
	for _, d := range changed {
		all = append(all, d.Path)
	}
	x.rows.add(all...)
	x.rows.add(staged.Relinked...)
	return all
}

// Reconcile scans the vault and refreshes every note that differs from what
// the index says of it, or may (decision 8.3). blocks.db follows: see Settle.
// progress may be nil.
func (x *Index) Reconcile(ctx context.Context, progress Progress) error {
	scan, err := x.vault.Scan(ctx)
	if err != nil {
		return err
	}
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
