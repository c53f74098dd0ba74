package store

import "testing"

// TestGenerationChangesWithEveryCommit holds what lets ids be kept in memory:
// nobody's commit goes unnoticed, and nothing else counts as one.
func TestGenerationChangesWithEveryCommit(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	generation := func() int64 {
		t.Helper()
		n, err := s.Generation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := generation()
	if again := generation(); again != first {
		t.Errorf("nothing happened, but %d became %d", first, again)
	}
	put(t, s, page(t, "a.md", "one"))
	second := generation()
	if second == first {
		t.Error("the store's own commit went unnoticed")
	}
	app := openApp(t, file)
	app.exec(`UPDATE blocks SET collapsed = 1`)
	if generation() == second {
		t.Error("another program's commit went unnoticed")
	}
}
