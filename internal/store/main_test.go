package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"stratum"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("STORE_TEST_DIE_IN_PUT"); path != "" {
		dieInPut(path)
	}
	goleak.VerifyTestMain(m)
}

// Three instants a day apart.
var (
	day1 = time.Date(2026, 9, 1, 8, 0, 0, 123456789, time.UTC)
	day2 = day1.AddDate(0, 0, 1)
)

const (
	stamp1 = "2026-09-01T08:00:00.123456789+00:00"
	stamp2 = "2026-09-02T08:00:00.123456789+00:00"
	stamp3 = "2026-09-03T08:00:00.123456789+00:00"
)

// Ids as files state them.
const (
	idX = "aaaaaaaa-0000-4000-8000-000000000001"
	idY = "aaaaaaaa-0000-4000-8000-000000000002"
	idZ = "aaaaaaaa-0000-4000-8000-000000000003"
)

func path(t testing.TB, s string) stratum.Path {
	t.Helper()
	p, err := stratum.ParsePath(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outline makes a note of one block a line, two spaces of indent a level; a
// line may begin with an id and "|".
func outline(lines ...string) *stratum.Note {
	n := &stratum.Note{}
	last := map[int]int{} // depth to the last block there
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		depth := (len(line) - len(text)) / 2
		b := stratum.Block{Content: text, Parent: -1, Left: -1}
		if id, rest, ok := strings.Cut(text, "|"); ok {
			b.ID, b.Content = id, rest
		}
		if depth > 0 {
			b.Parent = last[depth-1]
		}
		if left, ok := last[depth]; ok {
			b.Left = left
		}
		last[depth] = i
		for d := range last {
			if d > depth {
				delete(last, d)
			}
		}
		n.Blocks = append(n.Blocks, b)
	}
	return n
}

// page makes a page of an outline, last modified on day 1.
func page(t testing.TB, p string, lines ...string) Page {
	return Page{Path: path(t, p), Note: outline(lines...), Modified: day1}
}

// link adds a wiki-link to the block at index, resolved to target.
func (p Page) link(block int, written, target string) Page {
	p.Note.Links = append(p.Note.Links, stratum.Link{Target: written, Block: block})
	if block >= 0 {
		p.Targets = append(p.Targets, target)
	}
	return p
}

func (p Page) at(t time.Time) Page {
	p.Modified = t
	return p
}

func dbPath(t testing.TB) string { return filepath.Join(t.TempDir(), "blocks.db") }

func open(t testing.TB, file string, opts ...Option) *Store {
	t.Helper()
	s, err := Open(t.Context(), file, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func put(t testing.TB, s *Store, pages ...Page) int {
	t.Helper()
	n, err := s.Put(t.Context(), pages...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func ids(t testing.TB, s *Store, p Page) []string {
	t.Helper()
	ids, err := s.BlockIDs(t.Context(), p.Path, p.Note)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// app is another program's connection: what it does is plain SQL, in the way
// of the desktop app.
type app struct {
	t testing.TB
	*sql.DB
}

func openApp(t testing.TB, file string) app {
	t.Helper()
	db, err := sql.Open("sqlite", uri(file, "_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return app{t, db}
}

func (a app) exec(query string, args ...any) {
	a.t.Helper()
	if _, err := a.ExecContext(context.Background(), query, args...); err != nil {
		a.t.Fatalf("%s: %v", query, err)
	}
}

// rows returns a query's rows as text, columns parted by "|", NULL as "-".
func (a app) rows(query string, args ...any) []string {
	a.t.Helper()
	rows, err := a.QueryContext(context.Background(), query, args...)
	if err != nil {
		a.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		a.t.Fatal(err)
	}
	out := []string{}
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			a.t.Fatal(err)
		}
		line := make([]string, len(columns))
		for i, v := range values {
			if line[i] = "-"; v != nil {
				line[i] = fmt.Sprint(v)
			}
		}
		out = append(out, strings.Join(line, "|"))
	}
	if err := rows.Err(); err != nil {
		a.t.Fatal(err)
	}
	return out
}

// everything returns all rows of all three tables.
func (a app) everything() []string {
	a.t.Helper()
	var all []string
	all = append(all, a.rows(`SELECT * FROM pages ORDER BY path`)...)
	all = append(all, a.rows(`SELECT * FROM blocks ORDER BY page_path, rowid`)...)
	return append(all, a.rows(`SELECT source_block, link_type, target_page, target_block FROM links ORDER BY id`)...)
}
