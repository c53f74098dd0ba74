package index

import (
	"errors"
	"io"
	"log/slog"
	"sync"

	"stratum/internal/search"
)

// File is the name of the index file below .pkm/mcp.
const File = "search.idx"

// loadFile reads the index file and returns its sum; nil when there is none to
// begin from. A damaged one is set aside.
func (x *Index) loadFile() (*search.Snapshot, uint64) {
	file, size, err := x.vault.State().Open(File)
	if err != nil {
		return nil, 0
	}
	snap, sum, err := search.Load(file, size)
	file.Close()
	if err != nil {
		aside, serr := x.vault.State().SetAside(File)
		x.log.Warn("the search index's file is set aside and the index built anew", "file", aside, "error", errors.Join(err, serr))
		return nil, 0
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.file = sum
	return snap, sum
}

func (x *Index) fileSum() uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.file
}

// save writes the index file when the live snapshot is newer.
func (x *Index) save() error {
	x.mu.Lock()
	unsaved := x.unsaved
	x.unsaved = false
	x.mu.Unlock()
	if !unsaved {
		return nil
	}
	var sum uint64
	err := x.vault.State().Write(File, func(w io.Writer) (err error) {
		sum, err = x.search.Snapshot().Save(w)
		return err
	})
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		x.unsaved = true
		return err
	}
	x.file = sum
	return nil
}

// saveOrTell saves the index file once the index is ready, logs what keeps it
// from that, and reports whether the file holds the live snapshot.
func (x *Index) saveOrTell() bool {
	if !x.isReady() {
		return false
	}
	err := x.save()
	x.saving.tell(x.log, "save the search index", err)
	return err == nil
}

// grievance logs an error that may last: once, until its cause is another or
// gone.
type grievance struct {
	mu   sync.Mutex // guards last
	last string
}

func (g *grievance) tell(log *slog.Logger, doing string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.last
	g.last = ""
	if err == nil {
		return
	}
	cause := err // what wraps it may name a temporary file
	for next := err; next != nil; next = errors.Unwrap(next) {
		cause = next
	}
	if g.last = cause.Error(); g.last != was {
		log.Warn(doing, "error", err)
	}
}
