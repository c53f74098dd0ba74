// Package kb holds the operations behind the fifteen tools: one vault, its
// single-writer rule, its preconditions, and answers that agree with the disk.
package kb

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"stratum"
	"stratum/internal/index"
	"stratum/internal/search"
	"stratum/internal/vault"
)

// KB is one open vault. Its methods may be called from several goroutines.
type KB struct {
	opt   Options
	vault *vault.Vault
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

func (o Options) withDefaults() Options {
	o.IndexWait = cmp.Or(o.IndexWait, stratum.IndexWait)
	o.WriteWait = cmp.Or(o.WriteWait, stratum.WriteWait)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
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
func Open(dir string, opt Options) (*KB, error) {
	v, err := vault.Open(dir)
	if err != nil {
		return nil, err
	}
	return open(v, opt), nil
}

func open(v *vault.Vault, opt Options) *KB {
	opt = opt.withDefaults()
	then := wasLevel(v)
	x := index.New(v, then.Index, opt.Log)
	x.Start()
	if !x.Opened() || !then.holds(v) {
		x.Distrust() // somebody wrote to blocks.db before it was open here
	}
	return &KB{opt: opt, vault: v, index: x, cache: newCache(), turn: make(chan struct{}, 1)}
}

// Close ends the background work, saves the index and closes the vault. No
// other call may be running.
func (k *KB) Close() error {
	proved, err := k.index.Close()
	if proved != 0 {
		if err := noteLevel(k.vault, proved); err != nil {
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

// Settle waits, however long it takes, until the index and blocks.db are level
// with the vault as far as is known, and returns the error that keeps one of
// them from that. progress may be nil.
func (k *KB) Settle(ctx context.Context, progress Progress) error {
	if err := k.index.Begun(ctx); err != nil {
		return err
	}
	return k.settle(ctx, progress)
}

// settle waits until blocks.db is level with the index.
func (k *KB) settle(ctx context.Context, progress Progress) error {
	err := k.index.Settle(ctx, progress)
	if err == nil || ctx.Err() != nil || stratum.IsKind(err, stratum.VaultLocked) {
		return err
	}
	return &stratum.Error{
		Kind:    stratum.External,
		Message: "The search index is level with the notes, but blocks.db, which the desktop app reads, cannot be brought there.",
		Hint:    "Search and graph answers are right. The operator should check the space and permissions of .pkm/blocks.db and run stratum-mcp index.",
		Cause:   err,
	}
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
