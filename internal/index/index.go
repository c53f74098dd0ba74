// Package index brings the search index and blocks.db level with the vault:
// one note that was just written, the notes that changed outside, or all of
// them. The notes on disk are the truth; both others follow (decision 8.7).
//
// The search index follows at once. The rows of blocks.db follow behind it, a
// transaction at a time, except for a note that this server writes itself:
// its rows are part of the write.
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"stratum"
	"stratum/internal/markdown"
	"stratum/internal/search"
	"stratum/internal/store"
	"stratum/internal/vault"
)

// settleAge is how much older than its reading a file's mtime must be for an
// unchanged stamp to mean unchanged bytes: the coarsest clock of a file system
// in use ticks every two seconds.
const settleAge = 2 * time.Second

// batch is how many notes are read and published at a time, and so how long a
// writer waits for a refresh.
const batch = 64

// Index keeps search and blocks.db level with one vault.
type Index struct {
	vault  *vault.Vault
	store  *store.Store // nil when blocks.db cannot be used
	search *search.Index
	log    *slog.Logger
	now    func() time.Time
	rows   *rows

	stop context.CancelFunc
	done sync.WaitGroup

	// order is held from reading notes to publishing what they say, so that
	// what is published last was read last.
	order sync.Mutex

	mu      sync.Mutex // guards the fields below
	ready   bool
	readyCh chan struct{}             // closed when ready is set
	failed  error                     // why the last attempt to become ready failed
	builds  int                       // builds from scratch that are running
	missed  map[stratum.Path]struct{} // changed while the index was being built
	unsaved bool                      // the live snapshot is newer than the file
}

// New returns an index of v that does nothing before Start. A nil s leaves
// blocks.db alone; the index is then never fresh. proved tells that the rows
// are known to be those of the notes in the index file; else all are compared.
func New(v *vault.Vault, s *store.Store, proved bool, log *slog.Logger) *Index {
	x := &Index{
		vault: v, store: s, search: search.New(), log: log, now: time.Now,
		readyCh: make(chan struct{}), missed: make(map[stratum.Path]struct{}),
	}
	x.rows = newRows(x, proved)
	return x
}

// Start brings everything level in the background and keeps it so: it loads
// the snapshot file or builds the index, lets blocks.db follow, and scans the
// vault at least every [stratum.ScanInterval]. Close ends it.
func (x *Index) Start() {
	ctx, stop := context.WithCancel(context.Background())
	x.stop = stop
	x.done.Go(func() { x.begin(ctx) })
	x.done.Go(func() { x.rows.run(ctx) })
	x.done.Go(func() { x.tend(ctx) })
}

// Close ends the background work and saves the index file; a vault that
// cannot be written does without. level reports that blocks.db holds the rows
// of exactly the notes in that file.
func (x *Index) Close() (level bool) {
	x.stop()
	x.done.Wait()
	if !x.isReady() {
		return false
	}
	if err := x.save(); err != nil {
		x.log.Warn("save the search index", "error", err)
		return false
	}
	return x.rows.level()
}

// begin makes the index ready, however often that takes.
func (x *Index) begin(ctx context.Context) {
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		err := x.load(ctx)
		if err == nil || ctx.Err() != nil {
			break
		}
		x.log.Error("index the vault", "error", err)
		x.mu.Lock()
		x.failed = err
		x.mu.Unlock()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	if err := x.save(); err != nil {
		x.log.Warn("save the search index", "error", err)
	}
}

// load starts from the snapshot file where there is a good one, else from the
// notes.
func (x *Index) load(ctx context.Context) error {
	var scan vault.Scan
	var g errgroup.Group
	g.Go(func() (err error) {
		scan, err = x.vault.Scan(ctx)
		return err
	})
	snap := x.loadFile()
	if err := g.Wait(); err != nil {
		return err
	}
	if snap != nil {
		x.search.Replace(snap)
	}
	if snap == nil || len(x.differences(scan, false)) > len(scan.Entries)/4 {
		x.rows.verify()
		return x.build(ctx, nil)
	}
	if err := x.refresh(ctx, x.differences(scan, true), nil); err != nil {
		return err
	}
	x.publish(nil)
	return nil
}

// tend scans the vault from time to time: whatever no event told is found.
func (x *Index) tend(ctx context.Context) {
	t := time.NewTicker(stratum.ScanInterval * 5 / 6)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		if !x.isReady() {
			continue
		}
		if err := x.Reconcile(ctx, nil); err != nil && ctx.Err() == nil {
			x.log.Warn("scan the vault", "error", err)
		}
		if x.store != nil {
			if changed, err := x.store.Changed(ctx); err == nil && changed {
				x.rows.verify()
			}
		}
		if err := x.save(); err != nil {
			x.log.Warn("save the search index", "error", err)
		}
	}
}

// Wait waits until the index is ready for questions, at most for budget. It
// returns VaultLocked when it is not by then (decision 8.2).
func (x *Index) Wait(ctx context.Context, budget time.Duration) error {
	if x.isReady() {
		return nil
	}
	t := time.NewTimer(budget)
	defer t.Stop()
	select {
	case <-x.readyCh:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return &stratum.Error{
		Kind:       stratum.VaultLocked,
		Message:    "The vault is still being indexed.",
		Hint:       "Wait for retry_after_seconds and send the same call again; kb_get_page, kb_list_pages and writes work meanwhile.",
		RetryAfter: 5 * time.Second,
		Cause:      x.failed,
	}
}

// Current returns the live snapshot, ready or not.
func (x *Index) Current() *search.Snapshot { return x.search.Snapshot() }

func (x *Index) isReady() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ready
}

// read reads the note at p from the disk as the index takes it.
func (x *Index) read(p stratum.Path) (search.Doc, error) {
	f, err := x.vault.Read(p)
	if err != nil {
		return search.Doc{}, err
	}
	return x.doc(p, f), nil
}

func (x *Index) doc(p stratum.Path, f vault.File) search.Doc {
	src := Text(f.Content)
	d := search.Doc{Path: p, Text: src, Note: markdown.Parse(src)}
	d.Entry = search.Entry{Stamp: f.Stamp, Hash: f.Hash, Settled: x.settled(f.Stamp)}
	return d
}

func (x *Index) settled(s stratum.Stamp) bool { return x.now().Sub(s.Time()) > settleAge }

// Text returns a note's bytes as text: as they are, or with replacement
// characters where they are not UTF-8 (decision 5.2).
func Text(content string) string {
	if utf8.ValidString(content) {
		return content
	}
	return strings.ToValidUTF8(content, "\uFFFD")
}

// unreadable stands in the index for a note that is there and cannot be read:
// it is found by its name, and read again by every scan.
func unreadable(e vault.Entry) search.Doc {
	return search.Doc{Path: e.Path, Note: &stratum.Note{}, Entry: search.Entry{Stamp: e.Stamp}}
}

// Put makes the note at p, just written to the disk with this content and
// stamp, part of blocks.db and of the index. On an error neither has changed.
// The vault's write lock is held.
func (x *Index) Put(ctx context.Context, p stratum.Path, content string, stamp stratum.Stamp) error {
	x.order.Lock()
	defer x.order.Unlock()
	d := x.doc(p, vault.File{Content: content, Stamp: stamp, Hash: stratum.HashOf([]byte(content))})
	staged := x.search.Stage([]search.Doc{d}, nil)
	if x.store != nil {
		if _, err := x.store.Put(ctx, pageOf(d, staged.Snapshot)); err != nil {
			staged.Discard()
			return fmt.Errorf("write the note's rows: %w", err)
		}
	}
	staged.Publish()
	x.markUnsaved()
	x.noteMissed(p)
	x.rows.add(staged.Relinked...)
	return nil
}

// Drop takes the note at p, just removed from the disk, out of blocks.db and
// the index. On an error neither has changed. The vault's write lock is held.
func (x *Index) Drop(ctx context.Context, p stratum.Path) error {
	x.order.Lock()
	defer x.order.Unlock()
	if x.store != nil {
		if err := x.store.Delete(ctx, p); err != nil {
			return fmt.Errorf("delete the note's rows: %w", err)
		}
	}
	staged := x.search.Stage(nil, []stratum.Path{p})
	staged.Publish()
	x.markUnsaved()
	x.noteMissed(p)
	x.rows.add(staged.Relinked...)
	return nil
}

// noteMissed remembers notes that changed while a build may have read them
// before. order is held.
func (x *Index) noteMissed(changed ...stratum.Path) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.builds == 0 && x.ready {
		return
	}
	for _, p := range changed {
		x.missed[p] = struct{}{}
	}
}

func (x *Index) markUnsaved() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.unsaved = true
}

// loadFile reads the snapshot file; nil when there is none to begin from. A
// damaged one is set aside.
func (x *Index) loadFile() *search.Snapshot {
	file, err := x.vault.State().Read(File)
	if err != nil {
		return nil
	}
	snap, err := search.Load(file)
	if err == nil {
		return snap
	}
	aside, serr := x.vault.State().SetAside(File)
	x.log.Warn("the search index's file is set aside and the index built anew", "file", aside, "error", errors.Join(err, serr))
	return nil
}

// File is the name of the index file below .pkm/mcp.
const File = "search.idx"

// save writes the snapshot file when the live snapshot is newer.
func (x *Index) save() error {
	x.mu.Lock()
	unsaved := x.unsaved && x.ready
	x.unsaved = x.unsaved && !unsaved
	x.mu.Unlock()
	if !unsaved {
		return nil
	}
	err := x.vault.State().Write(File, x.search.Snapshot().Save)
	if err != nil {
		x.mu.Lock()
		x.unsaved = true
		x.mu.Unlock()
	}
	return err
}
