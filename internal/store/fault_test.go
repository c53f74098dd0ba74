package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stratum"
)

var errFault = errors.New("fault")

// failing is a hook whose nth statement fails, once.
type failing struct{ at, n int }

func (f *failing) hook(string) error {
	if f.n++; f.n == f.at {
		return errFault
	}
	return nil
}

// The 1st, 2nd, 3rd … statement of a write fails, until one run succeeds:
// every failure leaves the database as it was, and the store usable.
func TestEveryStatementMayFail(t *testing.T) {
	old := []Page{page(t, "a.md", "one", "two", "three").link(0, "x", "x").link(1, "y", "y"), page(t, "b.md", "b", idX+"|moves")}
	now := []Page{page(t, "a.md", "one", "TWO!", "new", idX+"|moves").link(0, "x", "x").link(1, "z", "z").at(day2), page(t, "b.md", "b")}
	for name, write := range map[string]func(context.Context, *Store) error{
		"put":    func(ctx context.Context, s *Store) error { _, err := s.Put(ctx, now...); return err },
		"delete": func(ctx context.Context, s *Store) error { return s.Delete(ctx, old[0].Path) },
		"fill": func(ctx context.Context, s *Store) error {
			_, err := s.Fill(ctx, slices.Values(now), nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := dbPath(t)
			f := &failing{}
			s := open(t, file, WithHook(f.hook))
			put(t, s, old...)
			a := openApp(t, file)
			before := a.everything()
			for n := 1; ; n++ {
				*f = failing{at: n}
				err := write(t.Context(), s)
				if err == nil {
					if f.n >= n {
						t.Fatalf("statement %d failed and nobody said so", n)
					}
					break
				}
				if !errors.Is(err, errFault) {
					t.Fatalf("statement %d: %v", n, err)
				}
				if diff := cmp.Diff(before, a.everything()); diff != "" {
					t.Fatalf("statement %d failed and left (-before +after):\n%s", n, diff)
				}
			}
			if f.n < 5 {
				t.Errorf("only %d statements passed the hook", f.n)
			}
			if cmp.Equal(before, a.everything()) {
				t.Error("the last run changed nothing")
			}
		})
	}
}

// A fill of an empty database that fails anywhere leaves whole pages, and
// what it left undone is done by the next.
func TestEveryStatementOfAFirstFillMayFail(t *testing.T) {
	pages := slices.Collect(vault(2))
	for n := 1; ; n++ {
		file := dbPath(t)
		f := &failing{}
		s := open(t, file, WithHook(f.hook))
		*f = failing{at: n}
		_, err := s.Fill(t.Context(), slices.Values(pages), nil)
		done := err == nil
		if !done && !errors.Is(err, errFault) {
			t.Fatalf("statement %d: %v", n, err)
		}
		*f = failing{}
		for p, d := range digests(t, s) {
			if i := slices.IndexFunc(pages, func(q Page) bool { return q.Path.String() == p }); i < 0 || d != DigestOf(pages[i]) {
				t.Fatalf("statement %d failed and left part of %s", n, p)
			}
		}
		if _, err := s.Fill(t.Context(), slices.Values(pages), nil); err != nil {
			t.Fatal(err)
		}
		if got := len(digests(t, s)); got != len(pages) {
			t.Fatalf("%d pages after the next fill", got)
		}
		if a := openApp(t, file); len(indices(a)) != 6 {
			t.Fatalf("statement %d: indices are %v", n, indices(a))
		}
		if done {
			break
		}
		n += n / 8 // every one at first, then fewer
	}
}

func TestBlockIDsReportFaults(t *testing.T) {
	f := &failing{}
	s := open(t, dbPath(t), WithHook(f.hook))
	put(t, s, page(t, "a.md", "one"))
	p := page(t, "a.md", "one", "two", idX+"|three")
	for n := 1; ; n++ {
		*f = failing{at: n}
		_, err := s.BlockIDs(t.Context(), p.Path, p.Note)
		if err == nil {
			if n < 4 {
				t.Errorf("only %d statements", n)
			}
			return
		}
		if !errors.Is(err, errFault) {
			t.Fatal(err)
		}
	}
}

func TestPanicInAStatementRollsBack(t *testing.T) {
	file := dbPath(t)
	explode := false
	s := open(t, file, WithHook(func(statement string) error {
		if explode && statement == sqlUpdateBlock {
			panic("boom")
		}
		return nil
	}))
	put(t, s, page(t, "a.md", "one"))
	before := openApp(t, file).everything()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		explode = true
		s.Put(t.Context(), page(t, "a.md", "two"))
	}()
	explode = false
	if diff := cmp.Diff(before, openApp(t, file).everything()); diff != "" {
		t.Errorf("after the panic (-before +after):\n%s", diff)
	}
	put(t, s, page(t, "a.md", "two"))
}

func TestCancelledPutChangesNothing(t *testing.T) {
	file := dbPath(t)
	ctx, cancel := context.WithCancel(t.Context())
	armed := false
	s := open(t, file, WithHook(func(statement string) error {
		if armed && statement == sqlInsertBlock {
			cancel()
		}
		return nil
	}))
	put(t, s, page(t, "a.md", "one"))
	armed = true
	if _, err := s.Put(ctx, page(t, "b.md", "x"), page(t, "c.md", "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v, want %v", err, context.Canceled)
	}
	if pages, _, err := s.Counts(t.Context()); pages != 1 || err != nil {
		t.Errorf("%d pages, %v, want 1", pages, err)
	}
	put(t, s, page(t, "b.md", "x"))
}

// Several stores and an app write and read one file at once.
func TestManyWriters(t *testing.T) {
	file := dbPath(t)
	const each = 25
	errs := make(chan error, 16)
	running := 0
	run := func(f func() error) {
		running++
		go func() { errs <- f() }()
	}
	for w := range 2 {
		s := open(t, file)
		run(func() error {
			for i := range each {
				p, err := stratum.ParsePath(fmt.Sprintf("w%d/%d.md", w, i%7))
				if err != nil {
					return err
				}
				q := Page{Path: p, Note: outline(fmt.Sprint("text ", i), "  kid"), Modified: day1}
				if _, err := s.Put(context.Background(), q.link(1, "x", "x")); err != nil {
					return err
				}
			}
			return nil
		})
		run(func() error {
			for range each {
				for _, err := range s.Digests(context.Background()) {
					if err != nil {
						return err
					}
				}
				if _, err := s.Changed(context.Background()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	a := openApp(t, file)
	run(func() error {
		for i := range each {
			tx, err := a.Begin() // deferred; the write is its first statement
			if err != nil {
				return err
			}
			if _, err := tx.Exec(`INSERT OR REPLACE INTO pages VALUES (?, NULL, '{}', 0, ?, ?)`, fmt.Sprintf("app/%d.md", i), stamp1, stamp1); err != nil {
				return errors.Join(err, tx.Rollback())
			}
			if err := tx.Commit(); err != nil {
				return err
			}
		}
		return nil
	})
	for range running {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if got := a.rows(`SELECT count(*) FROM pages`)[0]; got != fmt.Sprint(2*7+each) {
		t.Errorf("%s pages, want %d", got, 2*7+each)
	}
}
