package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// pragmas of both kinds of connection. The busy timeout is the app's and
// comes first: the switch to WAL, and the first read after another program's
// crash, have to wait for locks too. Caches are in KiB.
const (
	writePragmas = "_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-4000)&_pragma=journal_size_limit(4194304)"
	readPragmas  = "_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-1000)"
)

// maxReaders is the size of the pool for reading.
const maxReaders = 4

// uri returns path as a URI of SQLite's with a query.
func uri(path, query string) string {
	p := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" && !strings.HasPrefix(p, "/") {
		p = "/" + p // file:///C:/...
	}
	return "file:" + (&url.URL{Path: p}).EscapedPath() + "?" + query
}

func readURI(path, mode string) string { return uri(path, mode+"&"+readPragmas) }

func (s *Store) openWriter(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", uri(path, "mode=rwc&"+writePragmas))
	if err != nil {
		return err
	}
	s.writers = db
	if s.writer, err = db.Conn(ctx); err != nil {
		return err
	}
	if err := s.makeSchema(ctx); err != nil {
		return err
	}
	if err := prepareAll(ctx, s.writer, s.writes.texts()); err != nil {
		return err
	}
	s.version, err = s.dataVersion(ctx)
	return err
}

// closeWriter closes the writer connection, if there is one.
func (s *Store) closeWriter() error {
	closeAll(s.writes.texts())
	var errs []error
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	if s.writers != nil {
		errs = append(errs, s.writers.Close())
	}
	s.writer, s.writers = nil, nil
	return errors.Join(errs...)
}

// makeSchema creates the tables and indices that are missing. It takes the
// write lock only when one is.
func (s *Store) makeSchema(ctx context.Context) error {
	missing, err := s.missing(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	return s.transact(ctx, func(ctx context.Context) error {
		for _, ddl := range missing {
			if _, err := s.writer.ExecContext(ctx, ddl); err != nil {
				return fmt.Errorf("make schema: %w", err)
			}
		}
		return nil
	})
}

// missing returns the statements of the schema whose table or index is not
// there.
func (s *Store) missing(ctx context.Context) ([]string, error) {
	rows, err := s.writer.QueryContext(ctx, `SELECT name FROM sqlite_master WHERE type IN ('table', 'index')`)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	defer rows.Close()
	have := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("read schema: %w", err)
		}
		have[name] = true
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	var ddl []string
	for _, t := range schema {
		if !have[t.name] {
			ddl = append(ddl, t.ddl)
		}
	}
	return ddl, nil
}

func (s *Store) openReaders(ctx context.Context, dsn string) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(maxReaders)
	db.SetMaxIdleConns(maxReaders)
	s.readers = db
	return prepareAll(ctx, db, s.reads.texts())
}

// openReadOnly opens what cannot be written. Where SQLite cannot make the
// files that WAL needs, the database is read as it stands on disk, which is
// whole only when no log waits beside it.
func (s *Store) openReadOnly(ctx context.Context, path string) error {
	s.closeWriter() //nolint:errcheck // it could not be used anyway

	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%w, and there is none to read: %w", ErrReadOnly, errors.Unwrap(err))
	}
	err := s.openReaders(ctx, readURI(path, "mode=ro"))
	if !isUnwritable(err) {
		return err
	}
	s.readers.Close()
	s.readers = nil
	if wal, statErr := os.Stat(path + "-wal"); statErr == nil && wal.Size() > 0 {
		return err
	}
	return s.openReaders(ctx, readURI(path, "mode=ro&immutable=1"))
}

// transact runs f within BEGIN IMMEDIATE and COMMIT. The caller holds the
// writer. Only the wait for the lock ends with ctx; what f gets is never
// cancelled within a statement, so f looks at ctx itself.
func (s *Store) transact(ctx context.Context, f func(context.Context) error) error {
	quiet := context.WithoutCancel(ctx)
	committed := false
	defer func() {
		if !committed { // also when f panics, and when BEGIN took effect as ctx ended
			s.writer.ExecContext(quiet, "ROLLBACK") //nolint:errcheck // there may be none to roll back
		}
	}()
	if err := s.hooked("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if _, err := s.writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := f(quiet); err != nil {
		return err
	}
	if err := s.hooked("COMMIT"); err != nil {
		return err
	}
	if _, err := s.writer.ExecContext(quiet, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	return nil
}

// hooked asks the hook whether statement may run.
func (s *Store) hooked(statement string) error {
	if s.hook == nil {
		return nil
	}
	return s.hook(statement)
}
