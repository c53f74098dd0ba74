package store

import (
	"context"
	"database/sql"
	"fmt"

	"stratum"
)

const (
	sqlContents = `SELECT id, content FROM blocks WHERE page_path = ?1 ORDER BY rowid`
	sqlRows     = `SELECT id, content, parent_id, left_id FROM blocks WHERE page_path = ?1 ORDER BY rowid`

	sqlCounts     = `SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM blocks)`
	sqlQuickCheck = `PRAGMA quick_check(1)`
)

type readStatements struct {
	contents, rows, holders, counts, quickCheck statement
}

func (r *readStatements) texts() map[*statement]string {
	return map[*statement]string{
		&r.contents: sqlContents, &r.rows: sqlRows, &r.holders: sqlHolders, &r.counts: sqlCounts, &r.quickCheck: sqlQuickCheck,
	}
}

// BlockIDs returns the ids that Put would give the blocks of the note at p,
// one for each block (decision 6.8). It waits for no writer.
func (s *Store) BlockIDs(ctx context.Context, p stratum.Path, note *stratum.Note) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // short; watching it would cost as much as the query
	rows, err := s.rowsOf(ctx, p, len(note.Blocks))
	if err != nil {
		return nil, fmt.Errorf("read block ids: %w", classify(err))
	}
	if ids := unchanged(note.Blocks, rows); ids != nil {
		return ids, nil
	}
	if len(rows) > 0 {
		if rows, err = s.placedRowsOf(ctx, p, len(rows)); err != nil {
			return nil, fmt.Errorf("read block ids: %w", classify(err))
		}
	}
	ids := AssignIDs(p, note.Blocks, rows, func(ids []string) map[string]bool {
		held, failed := s.holders(ctx, &s.reads.holders, ids)
		if failed != nil {
			err = failed
			return nil
		}
		taken := make(map[string]bool, len(held))
		for id, page := range held {
			// A writer may have made this page's rows since they were read:
			// ids that the page itself holds are no other's.
			taken[id] = page != p.String()
		}
		return taken
	})
	if err != nil {
		return nil, fmt.Errorf("read block ids: %w", classify(err))
	}
	return ids, nil
}

// rowsOf returns a page's rows without their places in the outline: where the
// note is as it was, that is enough, and takes two thirds of the time.
func (s *Store) rowsOf(ctx context.Context, p stratum.Path, hint int) ([]Row, error) {
	rows := make([]Row, 0, hint)
	var id, content text
	err := s.query(ctx, &s.reads.contents, func(r *sql.Rows) error {
		if err := r.Scan(&id, &content); err != nil {
			return err
		}
		rows = append(rows, Row{ID: id.s, Content: content.s})
		return nil
	}, p.String())
	return rows, err
}

// placedRowsOf returns a page's rows.
func (s *Store) placedRowsOf(ctx context.Context, p stratum.Path, hint int) ([]Row, error) {
	rows := make([]Row, 0, hint)
	var id, content, parent, left text
	err := s.query(ctx, &s.reads.rows, func(r *sql.Rows) error {
		if err := r.Scan(&id, &content, &parent, &left); err != nil {
			return err
		}
		rows = append(rows, Row{ID: id.s, Content: content.s, Parent: parent.s, Left: left.s})
		return nil
	}, p.String())
	return rows, err
}

// Counts returns how many pages and blocks there are.
func (s *Store) Counts(ctx context.Context) (pages, blocks int, err error) {
	err = s.query(ctx, &s.reads.counts, func(r *sql.Rows) error { return r.Scan(&pages, &blocks) })
	if err != nil {
		return 0, 0, fmt.Errorf("count rows: %w", classify(err))
	}
	return pages, blocks, nil
}

// Changed reports whether another connection, the app's or another process's,
// has committed since it was last asked, or since Open. A read-only store
// cannot tell and says yes. It waits for a running write of this store.
func (s *Store) Changed(ctx context.Context) (bool, error) {
	if s.readOnly {
		return true, nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	v, err := s.dataVersion(ctx)
	if err != nil {
		return false, fmt.Errorf("look for changes: %w", classify(err))
	}
	changed := v != s.version
	s.version = v
	return changed, nil
}

// dataVersion returns a number that changes when another connection commits.
// The caller holds the writer.
func (s *Store) dataVersion(ctx context.Context) (int64, error) {
	return s.count(ctx, &s.writes.dataVersion)
}

// Check has SQLite look for damage, which reads the whole file. What it finds
// is an [ErrCorrupt].
func (s *Store) Check(ctx context.Context) error {
	found := ""
	err := s.query(ctx, &s.reads.quickCheck, func(r *sql.Rows) error { return r.Scan(&found) })
	if err != nil {
		return fmt.Errorf("check blocks.db: %w", classify(err))
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrCorrupt, found)
	}
	return nil
}
