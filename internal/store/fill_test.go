package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func indices(a app) []string {
	a.t.Helper()
	return a.rows(`SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`)
}

func TestFillIsPut(t *testing.T) {
	pages := slices.Collect(vault(60))
	pages = append(pages, rich(t), page(t, "zz.md", idX+"|again"), pages[3])
	filled, putOnes := dbPath(t), dbPath(t)
	f, p := open(t, filled), open(t, putOnes)

	var told []int
	n, err := f.Fill(t.Context(), slices.Values(pages), func(done int) { told = append(told, done) })
	if err != nil || n != len(pages)-1 {
		t.Fatalf("Fill = %d, %v, want %d", n, err, len(pages)-1)
	}
	if len(told) == 0 || told[len(told)-1] != len(pages) || !slices.IsSorted(told) {
		t.Errorf("progress said %v", told)
	}
	put(t, p, pages...)
	a, b := openApp(t, filled), openApp(t, putOnes)
	if diff := cmp.Diff(b.everything(), a.everything()); diff != "" {
		t.Errorf("rows (-Put +Fill):\n%s", diff)
	}
	if diff := cmp.Diff(indices(b), indices(a)); diff != "" {
		t.Errorf("indices (-Put +Fill):\n%s", diff)
	}
	if n, err := f.Fill(t.Context(), slices.Values(pages), nil); n != 0 || err != nil {
		t.Errorf("filling again: %d, %v", n, err)
	}
	if err := f.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFillEndsItsTransactionForAWriter(t *testing.T) {
	file := dbPath(t)
	var s *Store
	var once sync.Once
	wrote := make(chan error, 1)
	s = open(t, file, WithHook(func(statement string) error {
		if statement == sqlInsertBlock { // in the middle of the first transaction
			once.Do(func() {
				go func() {
					_, err := s.Put(context.Background(), page(t, "between.md", "x"))
					wrote <- err
				}()
				for s.waiting.Load() == 0 {
					time.Sleep(time.Millisecond)
				}
			})
		}
		return nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := s.Fill(ctx, vault(50), func(done int) {
		if done != 1 {
			t.Errorf("the writer waited for %d pages, want 1", done)
		}
		if err := <-wrote; err != nil {
			t.Error(err)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Fill = %v, want %v", err, context.Canceled)
	}
	// An interrupted fill leaves indices to make; the next write makes them.
	a := openApp(t, file)
	if got := len(indices(a)); got != 1 {
		t.Errorf("%d indices after an interrupted fill, want 1", got)
	}
	put(t, s, page(t, "after.md", "x"))
	if got := len(indices(a)); got != 6 {
		t.Errorf("%d indices after the next write, want 6", got)
	}
}

func TestOpenMakesIndicesThatAFillLeft(t *testing.T) {
	file := dbPath(t)
	open(t, file)
	a := openApp(t, file)
	a.exec(`DROP INDEX idx_links_source`)
	open(t, file)
	if got := len(indices(a)); got != 6 {
		t.Errorf("%d indices, want 6", got)
	}
}

func TestFillIntoWhatAnotherBegan(t *testing.T) {
	file := dbPath(t)
	one, two := open(t, file), open(t, file)
	pages := slices.Collect(vault(200))
	errs := make(chan error, 2)
	for _, s := range []*Store{one, two} {
		go func() {
			_, err := s.Fill(t.Context(), slices.Values(pages), nil)
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	got := digests(t, one)
	for _, p := range pages {
		if got[p.Path.String()] != DigestOf(p) {
			t.Errorf("%s is not as its note", p.Path)
		}
	}
	if a := openApp(t, file); len(indices(a)) != 6 || a.rows(`SELECT count(*) FROM blocks`)[0] != "2400" {
		t.Errorf("indices %v, blocks %v", indices(a), a.rows(`SELECT count(*) FROM blocks`))
	}
}

func TestFillStops(t *testing.T) {
	s := open(t, dbPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Fill(ctx, func(yield func(Page) bool) {
		cancel()
		yield(page(t, "a.md", "x"))
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Fill = %v, want %v", err, context.Canceled)
	}
	if pages, _, err := s.Counts(t.Context()); pages != 0 || err != nil {
		t.Errorf("%d pages, %v", pages, err)
	}
}

func TestAppGetsItsTurn(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	a := openApp(t, file)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	filled := make(chan error, 1)
	committed := make(chan struct{}, 1)
	go func() {
		_, err := s.Fill(ctx, func(yield func(Page) bool) {
			for { // the same pages, changed, for as long as it takes
				for _, at := range []time.Time{day1, day2} {
					for p := range vault(300) {
						if !yield(p.at(at)) {
							return
						}
					}
				}
			}
		}, func(int) {
			select {
			case committed <- struct{}{}:
			default:
			}
		})
		filled <- err
	}()
	<-committed
	began := time.Now()
	a.exec(`INSERT INTO pages VALUES ('app.md', NULL, '{}', 0, '2026-09-05T10:00:00+00:00', '2026-09-05T10:00:00+00:00')`)
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the app waited %v of its five seconds", took)
	}
	cancel()
	if err := <-filled; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
