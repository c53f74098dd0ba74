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
	"fmt"
	"log/slog"
	"runtime/debug"
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
	db     *database
	search *search.Index
	log    *slog.Logger
	now    func() time.Time
	rows   *rows
	proved uint64 // see New

	ctx    context.Context // of the background work
	stop   context.CancelFunc
	done   sync.WaitGroup
	opened chan struct{} // closed once it was tried to open blocks.db
	nudge  chan struct{} // has tend scan now
	saving grievance

	asking sync.Mutex       // guards seen
	seen   [2]stratum.Stamp // of the files of a database that is only read

	// order is held from reading notes to publishing what they say, so that
	// what is published last was read last.
	order sync.Mutex

	mu       sync.Mutex // guards the fields below
	ready    bool
	readyCh  chan struct{}             // closed when ready is set
	failed   error                     // why the last attempt to become ready failed
	failedCh chan struct{}             // closed when failed is first set
	builds   int                       // builds from scratch that are running
	missed   map[stratum.Path]struct{} // to be read again when the index is published
	rescan   bool                      // the vault is to be scanned once the index is ready
	unsaved  bool                      // the live snapshot is newer than the file
	file     uint64                    // sum of the index file as it was loaded or saved; 0 for none
	skipped  map[string]bool           // what the last scan left out
}

// openWait is how long Opened waits for blocks.db: another program may hold it
// for seconds, and a client that starts the server expects an answer at once
// (decision 8.2).
const openWait = 300 * time.Millisecond

// New returns an index of v that does nothing before Start but open blocks.db,
// in the background: see Opened. While blocks.db cannot be opened the index
// works without, and is not fresh. proved is the sum of the index file whose
// notes' rows blocks.db is known to hold; with another file, or 0, all rows
// are compared.
func New(v *vault.Vault, proved uint64, log *slog.Logger) *Index {
	x := &Index{
		vault: v, db: &database{vault: v, log: log}, search: search.New(), log: log, now: time.Now, proved: proved,
		nudge: make(chan struct{}, 1), readyCh: make(chan struct{}), failedCh: make(chan struct{}),
		missed: make(map[stratum.Path]struct{}), opened: make(chan struct{}),
	}
	x.ctx, x.stop = context.WithCancel(context.Background())
	x.rows = newRows(x, proved != 0)
	x.done.Go(x.open)
	return x
}

func (x *Index) open() {
	defer close(x.opened)
	if _, _, err := x.db.use(x.ctx); err != nil && x.ctx.Err() == nil {
		x.log.Error("blocks.db cannot be used; answers come from the notes", "error", err)
		x.rows.verify()
	}
}

// Opened waits until blocks.db is open, so that answers name blocks by its
// ids, and reports whether it is; a short time at most.
func (x *Index) Opened() bool {
	t := time.NewTimer(openWait)
	defer t.Stop()
	select {
	case <-x.opened:
		return x.Store() != nil
	case <-t.C:
		return false
	}
}

// Distrust has all rows of blocks.db compared with the notes.
func (x *Index) Distrust() { x.rows.verify() }

// Start brings everything level in the background and keeps it so: it loads
// the snapshot file or builds the index, lets blocks.db follow, and scans the
// vault at least every [stratum.ScanInterval]. Close ends it.
func (x *Index) Start() {
	x.done.Go(func() { x.begin(x.ctx) })
	x.done.Go(func() { x.rows.run(x.ctx) })
	x.done.Go(func() { x.tend(x.ctx) })
}

// sweep removes the temporary files that a crash has left, once no other
// writer is at work.
func (x *Index) sweep(ctx context.Context) {
	unlock, err := x.vault.Lock(ctx)
	if err != nil {
		return // the vault cannot be written, or the server ends
	}
	defer unlock()
	if err := x.vault.SweepTemp(ctx); err != nil && ctx.Err() == nil {
		x.log.Warn("remove temporary files", "error", err)
	}
}

// Close ends the background work, saves the index file, without which a vault
// that cannot be written does, and closes blocks.db. proved is for the next
// New: the sum of the index file whose notes' rows blocks.db holds, or 0.
func (x *Index) Close() (proved uint64, err error) {
	x.stop()
	x.done.Wait()
	s := x.Store()
	if x.saveOrTell() && x.rows.level() {
		foreign, err := s.Changed(context.Background())
		if err == nil && !foreign {
			proved = x.fileSum()
		}
	}
	if s == nil {
		return 0, nil
	}
	if err := s.Close(); err != nil {
		return 0, fmt.Errorf("close blocks.db: %w", err)
	}
	return proved, nil
}

// begin makes the index ready, however often that takes.
func (x *Index) begin(ctx context.Context) {
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		err := x.load(ctx)
		if err == nil || ctx.Err() != nil {
			break
		}
		x.log.Error("index the vault", "error", err)
		x.fail(err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	x.mu.Lock()
	rescan := x.rescan
	x.mu.Unlock()
	if rescan {
		x.scanAgain()
	}
	x.saveOrTell()
	select {
	case <-time.After(tidyAfter):
	case <-ctx.Done():
		return
	}
	debug.FreeOSMemory() // building takes more than serving
	x.sweep(ctx)
}

// tidyAfter is how long what is not urgent waits once the index is ready: the
// first questions are waiting too.
const tidyAfter = time.Second

func (x *Index) fail(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.failed = err
	select {
	case <-x.failedCh:
	default:
		close(x.failedCh)
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
	snap, sum := x.loadFile()
	if err := g.Wait(); err != nil {
		return err
	}
	x.tellSkipped(scan.Skipped)
	if sum != x.proved {
		x.rows.verify()
	}
	if snap != nil {
		x.order.Lock()
		x.search.Replace(snap)
		x.order.Unlock()
	}
	if snap == nil || len(x.differences(scan, false)) > len(scan.Entries)/4 {
		x.rows.verify()
		return x.build(ctx, nil)
	}
	if err := x.inBatches(ctx, x.differences(scan, true), nil, x.refreshBatch); err != nil {
		return err
	}
	x.publish(nil)
	return nil
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

// Begun waits until the index is ready, or until the first attempt at that has
// failed, which it returns the error of.
func (x *Index) Begun(ctx context.Context) error {
	select {
	case <-x.readyCh:
		return nil
	case <-x.failedCh:
	case <-ctx.Done():
		return ctx.Err()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.failed // nil once a later attempt has gone well
}

// Current returns the live snapshot, ready or not.
func (x *Index) Current() *search.Snapshot { return x.search.Snapshot() }

func (x *Index) isReady() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ready
}

// read reads the note at p from the disk as the index takes it. NotFound where
// a scan would not list one: a symbolic link is no note (decision 5.2).
func (x *Index) read(p stratum.Path) (search.Doc, error) {
	if _, err := x.vault.Find(p); err != nil {
		return search.Doc{}, err
	}
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
// While blocks.db cannot be used, it follows later. The vault's write lock is
// held.
func (x *Index) Put(ctx context.Context, p stratum.Path, content string, stamp stratum.Stamp) error {
	x.order.Lock()
	defer x.order.Unlock()
	d := x.doc(p, vault.File{Content: content, Stamp: stamp, Hash: stratum.HashOf([]byte(content))})
	staged := x.search.Stage([]search.Doc{d}, nil)
	defer staged.Discard()
	s := x.Store()
	if s != nil {
		if _, err := s.Put(ctx, pageOf(d, staged.Snapshot)); err != nil {
			x.Suspect(s, err)
			return fmt.Errorf("write the note's rows: %w", err)
		}
	}
	staged.Publish()
	x.wrote(p, s, staged.Relinked)
	return nil
}

// Drop takes the note at p, just removed from the disk, out of blocks.db and
// the index. On an error neither has changed. The vault's write lock is held.
func (x *Index) Drop(ctx context.Context, p stratum.Path) error {
	x.order.Lock()
	defer x.order.Unlock()
	s := x.Store()
	if s != nil {
		if err := s.Delete(ctx, p); err != nil {
			x.Suspect(s, err)
			return fmt.Errorf("delete the note's rows: %w", err)
		}
	}
	staged := x.search.Stage(nil, []stratum.Path{p})
	staged.Publish()
	x.wrote(p, s, staged.Relinked)
	return nil
}

// wrote ends a write of the note at p whose rows, where s is not nil, are
// written too. order is held.
func (x *Index) wrote(p stratum.Path, s *store.Store, relinked []stratum.Path) {
	x.markUnsaved()
	x.noteMissed(p)
	x.rows.add(relinked...)
	x.rows.wrote(p, s != nil)
}

// noteMissed remembers notes that may change after a build has read them, and
// reports whether the index is ready: before, whoever publishes it reads them.
// order is held.
func (x *Index) noteMissed(paths ...stratum.Path) (ready bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.builds == 0 && x.ready {
		return true
	}
	for _, p := range paths {
		x.missed[p] = struct{}{}
	}
	return x.ready
}

func (x *Index) markUnsaved() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.unsaved = true
}
