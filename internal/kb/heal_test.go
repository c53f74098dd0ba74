package kb_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // stands in for the desktop app

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vaulttest"
)

// session opens the vault, lets it settle and closes it.
func session(t *testing.T, dir string) {
	t.Helper()
	k, err := kb.Open(dir, kb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

func count(t *testing.T, dir, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, ".pkm", "blocks.db")+patience)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRowsFollowTheNotes(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	if got := count(t, dir, `SELECT count(*) FROM pages`); got != 4 {
		t.Errorf("%d pages, want 4", got)
	}
	if got := count(t, dir, `SELECT count(*) FROM links WHERE target_page = 'compost'`); got != 1 {
		t.Errorf("%d links to the note that is not yet written, want 1", got)
	}
	if _, err := k.WritePage(t.Context(), path(t, "compost"), "- warm", nil); err != nil {
		t.Fatal(err)
	}
	if got := count(t, dir, `SELECT count(*) FROM blocks WHERE page_path = 'compost.md'`); got != 1 {
		t.Errorf("a written note has %d blocks in the database when the call returns, want 1", got)
	}
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := count(t, dir, `SELECT count(*) FROM links WHERE target_page = 'compost.md'`); got != 1 {
		t.Errorf("%d links were led to the new note, want 1", got)
	}
	if err := k.DeletePage(t.Context(), path(t, "compost"), nil); err != nil {
		t.Fatal(err)
	}
	if got := count(t, dir, `SELECT count(*) FROM blocks WHERE page_path = 'compost.md'`); got != 0 {
		t.Errorf("a deleted note has %d blocks in the database", got)
	}
}

func TestAStartHealsRowsThatAnotherProgramSpoilt(t *testing.T) {
	dir := vaulttest.New(t, garden)
	session(t, dir)
	before := count(t, dir, `SELECT count(*) FROM blocks`)
	db, err := sql.Open("sqlite", filepath.Join(dir, ".pkm", "blocks.db")+patience)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`DELETE FROM blocks WHERE page_path = 'soil.md'`,
		`UPDATE pages SET frontmatter = '{"tags":1}' WHERE path = 'index.md'`,
		`INSERT INTO pages(path, created_at, modified_at) VALUES ('never.md', '2026-01-01T00:00:00.000000000+00:00', '2026-01-01T00:00:00.000000000+00:00')`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	session(t, dir)
	if got := count(t, dir, `SELECT count(*) FROM blocks`); got != before {
		t.Errorf("%d blocks after healing, want %d", got, before)
	}
	if got := count(t, dir, `SELECT count(*) FROM pages WHERE path = 'never.md' OR frontmatter = '{"tags":1}'`); got != 0 {
		t.Errorf("%d spoilt pages are left", got)
	}
}

func TestARestartTrustsADatabaseThatNobodyTouched(t *testing.T) {
	dir := vaulttest.New(t, garden)
	session(t, dir)
	if !kb.WasLevel(t, dir) {
		t.Fatal("the level is not noted")
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, ".pkm", "blocks.db")+patience)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`DELETE FROM links`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if kb.WasLevel(t, dir) {
		t.Error("a database that was written to is trusted")
	}
}

func TestDamagedFilesAreSetAsideAndRebuilt(t *testing.T) {
	dir := vaulttest.New(t, garden)
	session(t, dir)
	for _, name := range []string{".pkm/mcp/search.idx", ".pkm/blocks.db"} {
		vaulttest.Write(t, dir, name, "SQLite format 3\x00 but then rubbish, and more of it than a header has")
	}
	k := open(t, dir)
	if hits := search(t, k, "spade"); len(hits) != 1 {
		t.Errorf("after the damage: %v", hits)
	}
	if st, err := k.IndexStatus(t.Context()); err != nil || !st.IndexFresh {
		t.Errorf("after the damage: %+v, %v", st, err)
	}
	for _, pattern := range []string{".pkm/mcp/search.idx.damaged-*", ".pkm/blocks.db.damaged-*"} {
		if kept, _ := filepath.Glob(filepath.Join(dir, pattern)); len(kept) != 1 {
			t.Errorf("%s: kept %v", pattern, kept)
		}
	}
}

func TestChangesOutsideAreFollowed(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	vaulttest.Write(t, dir, "soil.md", "now about clay")
	if err := os.Remove(filepath.Join(dir, "index.md")); err != nil {
		t.Fatal(err)
	}
	if err := k.Refresh(t.Context(), []stratum.Path{path(t, "soil"), path(t, "index"), path(t, "nowhere")}); err != nil {
		t.Fatal(err)
	}
	if len(search(t, k, "clay")) != 1 || len(search(t, k, "spade")) != 0 || len(search(t, k, "welcome")) != 0 {
		t.Error("search does not follow")
	}
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := count(t, dir, `SELECT count(*) FROM blocks WHERE page_path IN ('index.md', 'soil.md')`); got != 1 {
		t.Errorf("%d blocks, want the one of soil.md", got)
	}
}

// TestASearchNeverShowsAnOldText changes a note behind the index's back: the
// answer is read from the disk, so it is the new text or nothing.
func TestASearchNeverShowsAnOldText(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	vaulttest.Write(t, dir, "soil.md", "now about clay")
	if hits := search(t, k, "spade"); len(hits) != 0 {
		t.Errorf("an old text is shown: %+v", hits)
	}
	if hits := search(t, k, "clay"); len(hits) != 1 {
		t.Errorf("the new text is not found after the old one was asked for: %+v", hits)
	}
}

func TestTwoServersOnOneVault(t *testing.T) {
	dir := vaulttest.New(t, garden)
	a, b := open(t, dir), open(t, dir)
	for i := range 10 {
		k := []*kb.KB{a, b}[i%2]
		d, err := k.GetPage(t.Context(), path(t, "soil"))
		if err != nil {
			t.Fatal(err)
		}
		at, err := stratum.ParseTime(d.ModifiedAt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.WritePage(t.Context(), path(t, "soil"), d.Content+"\n- more", &at); err != nil {
			t.Fatalf("write %d: %v", i, err)
		}
	}
	if err := a.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(search(t, a, "more")); got != 10 {
		t.Errorf("the first server finds %d of 10 lines", got)
	}
}

func TestReindexHealsRowsThatAnotherProgramSpoilt(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	db, err := sql.Open("sqlite", filepath.Join(dir, ".pkm", "blocks.db")+patience)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`DELETE FROM blocks WHERE page_path = 'soil.md'`); err != nil {
		t.Fatal(err)
	}
	if st, err := k.Reindex(t.Context(), false, nil); err != nil || !st.IndexFresh {
		t.Errorf("reindex: %+v, %v", st, err)
	}
	if got := count(t, dir, `SELECT count(*) FROM blocks WHERE page_path = 'soil.md'`); got != 2 {
		t.Errorf("%d blocks of the note, want 2", got)
	}
}

// TestIDsFollowTheApp re-parses a page as the app does, with fresh ids: the
// next answer names the blocks by them, however lately the old ids were used.
func TestIDsFollowTheApp(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	before := search(t, k, "spade")
	if again := search(t, k, "spade"); *again[0].BlockID != *before[0].BlockID {
		t.Errorf("the id became %s", *again[0].BlockID)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, ".pkm", "blocks.db")+patience)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const fresh = "11111111-2222-4333-8444-555555555555"
	if _, err := db.Exec(`UPDATE blocks SET id = ? WHERE id = ?`, fresh, *before[0].BlockID); err != nil {
		t.Fatal(err)
	}
	if after := search(t, k, "spade"); *after[0].BlockID != fresh {
		t.Errorf("the app named the block %s, search says %s", fresh, *after[0].BlockID)
	}
}
