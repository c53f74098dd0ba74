package store

import (
	"context"
	"database/sql"
	"fmt"
	"unicode/utf8"
)

// statement is a prepared statement with its text, which the hook is told.
type statement struct {
	text string
	*sql.Stmt
}

// preparer is a connection or a pool.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// prepareAll prepares the texts of the statements.
func prepareAll(ctx context.Context, on preparer, statements map[*statement]string) error {
	for st, text := range statements {
		p, err := on.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("prepare %q: %w", text, err)
		}
		*st = statement{text, p}
	}
	return nil
}

// closeAll closes prepared statements. database/sql does so itself for those
// of a pool, but not for those of a single connection, and SQLite keeps a
// connection with open statements alive: it would never move the log into the
// database.
func closeAll(statements map[*statement]string) {
	for st := range statements {
		if st.Stmt != nil {
			st.Close() // repeats the error of the statement's last run
		}
	}
}

// exec runs a statement that returns no rows.
func (s *Store) exec(ctx context.Context, st *statement, args ...any) error {
	if err := s.hooked(st.text); err != nil {
		return err
	}
	_, err := st.ExecContext(ctx, args...)
	return err
}

// query runs a statement and has each of its rows read by scan.
func (s *Store) query(ctx context.Context, st *statement, scan func(*sql.Rows) error, args ...any) (err error) {
	if err := s.hooked(st.text); err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// null returns s, or NULL for "".
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// text is a column that is read as the app reads it: TEXT or NULL. Anything
// else is damage.
type text struct {
	s   string
	bad bool
}

// Scan implements [sql.Scanner].
func (t *text) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*t = text{}
	case string:
		*t = text{s: v, bad: !utf8.ValidString(v)}
	case []byte:
		*t = text{s: clean(string(v)), bad: true}
	default:
		*t = text{s: fmt.Sprint(v), bad: true}
	}
	return nil
}

// number is a column that is read as INTEGER or NULL, which is 0.
type number struct {
	n   int64
	bad bool
}

// Scan implements [sql.Scanner].
func (n *number) Scan(v any) error {
	i, isInt := v.(int64)
	*n = number{n: i, bad: !isInt && v != nil}
	return nil
}
