// Package kb holds the operations behind the fifteen tools: one vault, its
// single-writer rule, its preconditions, and answers that agree with the disk.
package kb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"time"

	"stratum"
	"stratum/internal/index"
	"stratum/internal/search"
	"stratum/internal/store"
	"stratum/internal/vault"
)

// KB is one open vault. Its methods may be called from several goroutines.
type KB struct {
	opt   Options
	vault *vault.Vault
	store *store.Store // nil when blocks.db cannot be used
	index *index.Index
	cache *cache

	turn chan struct{} // holds one token while a writer of this process is at work
}

// Options are what an operator may set. The zero value of a field is its default.
type Options struct {
	IndexWait time.Duration // MCP_INDEX_WAIT: how long a call waits for the index (decision 8.2)
	WriteWait time.Duration // MCP_WRITE_WAIT: how long a writer waits for its turn (decision 8.5)
	Log       *slog.Logger  // nothing is logged by default
}

// Progress is told how many of total steps are done. It is called from one
// goroutine at a time.
type Progress = index.Progress

// SearchResult is the answer of Search and SearchByTag.
type SearchResult struct {
	Hits    iter.Seq2[stratum.SearchHit, error] // best first; ends after the first error
	Count   int                                 // hits that Hits yields when walked to its end
	Total   int                                 // exact number of matches
	Relaxed bool                                // no block has all words; these have some (decision 6.4)
}

// Open opens the vault at dir (decision 5.1) and starts indexing it in the
// background (decision 8.2). Close ends it.
func Open(ctx context.Context, dir string, opt Options) (*KB, error) {
	if opt.IndexWait == 0 {
		opt.IndexWait = stratum.IndexWait
	}
	if opt.WriteWait == 0 {
		opt.WriteWait = stratum.WriteWait
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	v, err := vault.Open(dir)
	if err != nil {
		return nil, err
	}
	proved := wasLevel(v)
	s, err := openStore(ctx, v, opt.Log)
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	k := &KB{
		opt: opt, vault: v, store: s, cache: newCache(),
		index: index.New(v, s, proved, opt.Log),
		turn:  make(chan struct{}, 1),
	}
	k.index.Start()
	return k, nil
}

// Close ends the background work, saves the index and closes the vault. No
// other call may be running.
func (k *KB) Close() error {
	level := k.index.Close()
	var err error
	if k.store != nil {
		foreign, cerr := k.store.Changed(context.Background())
		level = level && !foreign && cerr == nil
		err = k.store.Close()
	}
	if level && err == nil {
		if err := noteLevel(k.vault); err != nil {
			k.opt.Log.Warn("note that index and blocks.db agree", "error", err)
		}
	}
	return errors.Join(err, k.vault.Close())
}

// Dir returns the vault's absolute path.
func (k *KB) Dir() string { return k.vault.Dir() }

// Refresh is told which notes changed outside (decision 8.3).
func (k *KB) Refresh(ctx context.Context, paths []stratum.Path) error {
	return k.index.Refresh(ctx, paths)
}

// Reconcile finds by a scan what changed outside.
func (k *KB) Reconcile(ctx context.Context) error { return k.index.Reconcile(ctx, nil) }

// Settle waits until the index and blocks.db are level with the vault as far
// as is known. progress may be nil.
func (k *KB) Settle(ctx context.Context, progress Progress) error {
	if err := k.index.Wait(ctx, time.Duration(1<<62)); err != nil {
		return err
	}
	return k.index.Settle(ctx, progress)
}

// IndexBytes estimates the memory that the index takes.
func (k *KB) IndexBytes() int { return k.index.Bytes() }

// snapshot returns the index once it is ready, within the wait budget
// (decision 8.2).
func (k *KB) snapshot(ctx context.Context) (*search.Snapshot, error) {
	if err := k.index.Wait(ctx, k.opt.IndexWait); err != nil {
		return nil, err
	}
	return k.index.Current(), nil
}

// known returns the index once it is ready and knows the note at p. A note
// that is on the disk but not yet in the index is read first.
func (k *KB) known(ctx context.Context, p stratum.Path) (*search.Snapshot, error) {
	snap, err := k.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if _, ok := snap.Lookup(p); ok {
		return snap, nil
	}
	if _, err := k.vault.Stat(p); err != nil {
		return nil, err
	}
	if err := k.index.Refresh(ctx, []stratum.Path{p}); err != nil {
		return nil, err
	}
	snap = k.index.Current()
	if _, ok := snap.Lookup(p); !ok {
		return nil, stratum.ErrNotFound(p)
	}
	return snap, nil
}

// openStore opens blocks.db. A damaged one is set aside and made anew from
// the notes (decision 8.7); one that cannot be opened at all leaves the vault
// without, which the answers and the index's freshness show.
func openStore(ctx context.Context, v *vault.Vault, log *slog.Logger) (*store.Store, error) {
	path := filepath.Join(v.Dir(), ".pkm", "blocks.db")
	s, err := store.Open(ctx, path)
	if errors.Is(err, store.ErrCorrupt) {
		log.Warn("blocks.db is damaged and set aside", "error", err)
		if err := setAside(ctx, v); err != nil {
			return nil, fmt.Errorf("set blocks.db aside: %w", err)
		}
		s, err = store.Open(ctx, path)
	}
	if err != nil {
		log.Error("blocks.db cannot be used; answers come from the notes", "error", err)
		return nil, nil
	}
	return s, nil
}
