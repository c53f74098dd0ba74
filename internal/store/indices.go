package store

import (
	"context"
	"database/sql"
	"fmt"
)

const (
	sqlAnyPage = `SELECT EXISTS (SELECT 1 FROM pages) OR EXISTS (SELECT 1 FROM blocks)`
	sqlIndices = `SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name LIKE 'idx\_%' ESCAPE '\'`
)

// isEmpty reports whether the database holds no page and no block.
func (s *Store) isEmpty(ctx context.Context) (bool, error) {
	n, err := s.count(ctx, &s.writes.anyPage)
	return n == 0, err
}

// ensureIndices makes what indices are missing: a bulk load that was
// interrupted, here or in another process, left some to make. While one of
// our own runs it does nothing. The caller holds the writer.
func (s *Store) ensureIndices(ctx context.Context) error {
	if s.filling.Load() {
		return nil
	}
	n, err := s.count(ctx, &s.writes.indices)
	if err != nil || int(n) > len(lateIndices) {
		return err
	}
	return s.makeIndices(ctx)
}

// makeIndices makes the missing indices, each in a transaction of its own.
// The caller holds the writer.
func (s *Store) makeIndices(ctx context.Context) error {
	missing, err := s.missing(ctx)
	if err != nil {
		return err
	}
	for _, ddl := range missing {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.transact(ctx, func(quiet context.Context) error {
			if err := s.hooked(ddl); err != nil {
				return err
			}
			_, err := s.writer.ExecContext(quiet, ddl)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dropLateIndices drops the indices that a bulk load makes last, within a
// transaction.
func (s *Store) dropLateIndices(ctx context.Context) error {
	for _, name := range lateIndices {
		ddl := "DROP INDEX IF EXISTS " + name
		if err := s.hooked(ddl); err != nil {
			return err
		}
		if _, err := s.writer.ExecContext(ctx, ddl); err != nil {
			return fmt.Errorf("%s: %w", ddl, err)
		}
	}
	return nil
}

// count runs a statement that returns one number.
func (s *Store) count(ctx context.Context, st *statement) (n int64, err error) {
	err = s.query(ctx, st, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, err
}
