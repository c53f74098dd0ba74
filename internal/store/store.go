// Package store is .pkm/blocks.db, the SQLite database of pages, blocks and
// links that the desktop app and this server share, in the app's exact format
// (vault-format §2). The notes on disk are the truth (decision 8.7): every row
// here can be made again from them but for the ids of blocks and their
// collapsed state, which live nowhere else and therefore survive every rewrite
// (decision 6.8). Nothing outside this package opens the database's files
// (decision 8.8).
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"stratum"
)

// Store is an open blocks.db. Its methods may be called from any goroutine:
// reads run side by side on a small pool, writes one at a time on one
// connection.
type Store struct {
	path     string
	file     os.FileInfo // of the database when it was opened
	hook     Hook
	readOnly bool

	readers *sql.DB
	reads   readStatements
	pulse   pulse

	// writing holds the one token of the right to use what follows; a
	// channel, so that waiting for it ends with a context.
	writing chan struct{}
	writers *sql.DB
	writer  *sql.Conn
	writes  writeStatements
	version int64 // data_version when Changed last asked

	// waiting counts the writers that wait for the token; a running Fill ends
	// its transaction early for them.
	waiting atomic.Int32
	filling atomic.Bool // a Fill of ours runs with the late indices dropped
}

// Page is what a note's rows are made from.
type Page struct {
	Path     stratum.Path
	Note     *stratum.Note
	Modified time.Time // of the note's file

	// Targets are the target_page of each of Note.Links whose Block is not
	// -1, in order: the path of the note the link resolves to, else the
	// target as written. An empty one makes no row: a local link is no edge
	// (decision 6.2).
	Targets []string
}

// Hook is told each statement before it runs and can make it fail: the seam
// by which tests inject faults.
type Hook func(statement string) error

// Option changes how [Open] opens a store.
type Option func(*Store)

// ErrReadOnly is in the chain of an error of a write to a store that could
// only be opened for reading.
var ErrReadOnly = errors.New("blocks.db can only be read")

// Open opens the database at path, which it creates when it is missing. Where
// the file or its folder cannot be written, the store is for reading only and
// its writes fail with [ErrReadOnly]. The errors are [ErrCorrupt] for a file
// that is damaged or no database, VaultLocked when another program holds it
// longer than the busy timeout.
func Open(ctx context.Context, path string, opts ...Option) (*Store, error) {
	s := &Store{path: path, writing: make(chan struct{}, 1)}
	for _, o := range opts {
		o(s)
	}
	err := s.open(ctx, path)
	if err == nil {
		if s.file, err = os.Stat(path); err != nil {
			err = errors.Unwrap(err) // without the absolute path
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open blocks.db: %w", classify(err)), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) error {
	err := s.openWriter(ctx, path)
	if isUnwritable(err) {
		s.readOnly = true
		return s.openReadOnly(ctx, path)
	}
	if err != nil {
		return err
	}
	return s.openReaders(ctx, readURI(path, "mode=rw"))
}

// ReadOnly reports whether the store could only be opened for reading.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Replaced reports whether the file at the store's path is no longer the one
// that is open: another process has set it aside, or a sync tool has put
// another in its place. The owner then opens a new store, and never sets the
// new file aside for what the old one had.
func (s *Store) Replaced() bool {
	now, err := os.Stat(s.path)
	return err != nil || !os.SameFile(s.file, now)
}

// Close ends the store. It waits for a running write; calls that follow fail.
func (s *Store) Close() error {
	var err error
	s.pulse.close()
	if s.readers != nil {
		err = s.readers.Close()
	}
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	return errors.Join(err, s.closeWriter())
}

// lock takes the right to use the writer connection.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	select {
	case s.writing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.writer == nil {
		<-s.writing
		return nil, errClosed
	}
	return func() { <-s.writing }, nil
}

var errClosed = errors.New("the store is closed")
