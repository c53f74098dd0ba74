package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"stratum"
)

// ErrCorrupt is in the chain of an error that says the database is damaged or
// no database at all. Whoever sees it closes the store, sets the file aside
// and fills a new one from the notes (decision 8.7).
var ErrCorrupt = errors.New("blocks.db is damaged")

// classify gives an error of SQLite its place in the contract's vocabulary,
// where it has one.
func classify(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch resultCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &stratum.Error{
			Kind:       stratum.VaultLocked,
			Message:    "Another program holds the vault's database.",
			Hint:       "Try again in a moment.",
			RetryAfter: time.Second,
			Cause:      err,
		}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	default:
		return err
	}
}

// isUnwritable reports whether err is what a file or folder without write
// permission gives.
func isUnwritable(err error) bool {
	switch resultCode(err) {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR:
		return true
	default:
		return false
	}
}

// resultCode returns SQLite's primary result code, 0 when err is not SQLite's.
func resultCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}
