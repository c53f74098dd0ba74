package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stratum"
)

func TestPutWritesTheAppsRows(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	p := page(t, "projects/plan.md", idX+"|Plan", "buy [[Milk]]", "  child [[#here]] [[A^"+strings.ToUpper(idZ)+"]]", "last").
		link(-1, "Parent", "").
		link(1, "Milk", "shop/milk.md").
		link(2, "#here", "").
		link(2, "A^"+strings.ToUpper(idZ), "A")
	p.Note.Title = "The plan"
	p.Note.Frontmatter = map[string]any{
		"title": "The plan", "created": "2026-01-01", "tags": []string{"a", "b"}, "rank": int64(3), "x": map[string]any{"k": []any{true, nil, 1.5}},
	}
	p.Note.Blocks[0].HeadingLevel = 1
	b := &p.Note.Blocks[1]
	b.Marker, b.Priority, b.Collapsed, b.Properties = "TODO", "A", true, map[string]string{"b": `say "<b>"`, "a": "1"}

	if n := put(t, s, p); n != 1 {
		t.Fatalf("Put changed %d pages, want 1", n)
	}
	id := ids(t, s, p)
	a := openApp(t, file)

	wantPages := []string{`projects/plan.md|The plan|` +
		`{"aliases":[],"created":"2026-01-01","modified":null,"rank":3,"tags":["a","b"],"title":"The plan","x":{"k":[true,null,1.5]}}` +
		`|4|` + stamp1 + `|` + stamp1}
	if diff := cmp.Diff(wantPages, a.rows(`SELECT path, title, frontmatter, block_count, created_at, modified_at FROM pages`)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	stamps := `|` + stamp1 + `|` + stamp1
	wantBlocks := []string{
		idX + `|projects/plan.md|Plan|-|-|{}|-|-|0|1` + stamps,
		id[1] + `|projects/plan.md|buy [[Milk]]|-|` + idX + `|{"a":"1","b":"say \"<b>\""}|TODO|A|1|-` + stamps,
		id[2] + `|projects/plan.md|child [[#here]] [[A^` + strings.ToUpper(idZ) + `]]|` + id[1] + `|-|{}|-|-|0|-` + stamps,
		id[3] + `|projects/plan.md|last|-|` + id[1] + `|{}|-|-|0|-` + stamps,
	}
	if diff := cmp.Diff(wantBlocks, a.rows(`SELECT * FROM blocks ORDER BY rowid`)); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	wantLinks := []string{id[1] + `|page_ref|shop/milk.md|-`, id[2] + `|page_ref|A|` + idZ}
	if diff := cmp.Diff(wantLinks, a.rows(`SELECT source_block, link_type, target_page, target_block FROM links ORDER BY id`)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

func TestPutWithoutTitle(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "empty-note.md"))
	want := []string{`empty-note.md|-|{"aliases":[],"created":null,"modified":null,"tags":[],"title":null}|0|` + stamp1 + `|` + stamp1}
	if diff := cmp.Diff(want, openApp(t, file).everything()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestPutTwiceWritesNothing(t *testing.T) {
	file := dbPath(t)
	s, other := open(t, file), open(t, file)
	p := page(t, "a.md", "one", "  two", idX+"|three").link(1, "b", "b.md")
	p.Note.Blocks[0].Properties = map[string]string{"k": "v"}
	put(t, s, p)
	if _, err := other.Changed(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, again := range []*Store{s, other} {
		if n := put(t, again, p); n != 0 {
			t.Errorf("putting the same page again changed %d pages", n)
		}
	}
	if changed, err := other.Changed(t.Context()); changed || err != nil {
		t.Errorf("putting the same page again committed a change (%v, %v)", changed, err)
	}
}

func TestPutKeepsWhatOnlyTheDatabaseKnows(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", "one", "two", "three"))
	a := openApp(t, file)
	a.exec(`UPDATE blocks SET collapsed = 1 WHERE content = 'two'`)

	if n := put(t, s, page(t, "a.md", "new", "two", "three, edited").at(day2)); n != 1 {
		t.Fatalf("changed %d pages, want 1", n)
	}
	want := []string{
		"new|0|" + stamp1 + "|" + stamp2, // took the place of "one"
		"two|1|" + stamp1 + "|" + stamp1,
		"three, edited|0|" + stamp1 + "|" + stamp2,
	}
	if diff := cmp.Diff(want, a.rows(`SELECT content, collapsed, created_at, modified_at FROM blocks ORDER BY rowid`)); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{stamp1 + "|" + stamp2}, a.rows(`SELECT created_at, modified_at FROM pages`)); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestPutOnlyRelinks(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", "one", "two").link(0, "b", "b").link(1, "c", "c.md"))
	a := openApp(t, file)
	before := a.rows(`SELECT rowid, * FROM blocks ORDER BY rowid`)
	if n := put(t, s, page(t, "a.md", "one", "two").link(0, "b", "deep/b.md").link(1, "c", "c.md")); n != 1 {
		t.Fatalf("changed %d pages, want 1", n)
	}
	if diff := cmp.Diff(before, a.rows(`SELECT rowid, * FROM blocks ORDER BY rowid`)); diff != "" {
		t.Errorf("blocks were rewritten for a link (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"deep/b.md", "c.md"}, a.rows(`SELECT target_page FROM links ORDER BY id`)); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestRowsStayInDocumentOrder(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	a := openApp(t, file)
	put(t, s, page(t, "other.md", "other"))
	for _, lines := range [][]string{
		{"a", "b", "c"},
		{"x", "a", "b", "c"},
		{"x", "b", "a", "c"},
		{"x", "b", "  kid", "a"},
		{"a"},
		{},
		{"a", "b", "a", "b"},
	} {
		p := page(t, "a.md", lines...)
		for i := range lines {
			p = p.link(i, "l", "l"+lines[i])
		}
		put(t, s, p)
		var want []string
		for i := range p.Note.Blocks {
			want = append(want, p.Note.Blocks[i].Content+"|l"+lines[i])
		}
		got := a.rows(`SELECT content, target_page FROM blocks JOIN links ON source_block = blocks.id WHERE page_path = 'a.md' ORDER BY blocks.rowid`)
		if diff := cmp.Diff(want, got, cmp.Comparer(sameLines)); diff != "" {
			t.Errorf("%v: rows (-want +got):\n%s", lines, diff)
		}
		// The app finds a block's place by the previous sibling.
		broken := a.rows(`SELECT b.content FROM blocks b LEFT JOIN blocks l ON l.id = b.left_id
			WHERE b.left_id IS NOT NULL AND (l.id IS NULL OR l.rowid >= b.rowid OR l.parent_id IS NOT b.parent_id)`)
		if len(broken) > 0 {
			t.Errorf("%v: left_id of %v is no earlier sibling", lines, broken)
		}
	}
	if got := a.rows(`SELECT content FROM blocks WHERE page_path = 'other.md'`); len(got) != 1 {
		t.Errorf("another page's rows are now %v", got)
	}
}

func sameLines(a, b []string) bool { return strings.Join(a, "\n") == strings.Join(b, "\n") }

func TestDelete(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", "one").link(0, "b", "b.md"), page(t, "b.md", "two").link(0, "a", "a.md"))
	if err := s.Delete(t.Context(), path(t, "a.md"), path(t, "nothing.md")); err != nil {
		t.Fatal(err)
	}
	a := openApp(t, file)
	if got := a.rows(`SELECT path FROM pages`); len(got) != 1 || got[0] != "b.md" {
		t.Errorf("pages are %v, want b.md", got)
	}
	want := []string{"two|a.md"}
	if diff := cmp.Diff(want, a.rows(`SELECT content, target_page FROM blocks LEFT JOIN links ON source_block = blocks.id`)); diff != "" {
		t.Errorf("blocks and links (-want +got):\n%s", diff)
	}
	if pages, blocks, err := s.Counts(t.Context()); pages != 1 || blocks != 1 || err != nil {
		t.Errorf("Counts = %d, %d, %v, want 1, 1", pages, blocks, err)
	}
}

func TestPutRefusesWhatDoesNotFit(t *testing.T) {
	s := open(t, dbPath(t))
	tooFew := page(t, "a.md", "one")
	tooFew.Note.Links = []stratum.Link{{Target: "b"}}
	tooMany := page(t, "a.md", "one")
	tooMany.Targets = []string{"b.md"}
	for name, p := range map[string]Page{"too few targets": tooFew, "too many targets": tooMany, "no path": {Note: outline("x")}} {
		if _, err := s.Put(t.Context(), page(t, "first.md"), p); err == nil {
			t.Errorf("%s: no error", name)
		}
		if d := DigestOf(p); d != (PageDigest{Path: p.Path}) {
			t.Errorf("%s: its digest is %v", name, d)
		}
	}
	if pages, _, _ := s.Counts(t.Context()); pages != 0 {
		t.Errorf("a refused Put left %d pages", pages)
	}
}

func TestClosedStore(t *testing.T) {
	s, err := Open(t.Context(), dbPath(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), page(t, "a.md")); !errors.Is(err, errClosed) {
		t.Errorf("Put after Close: %v", err)
	}
	if _, err := s.BlockIDs(t.Context(), path(t, "a.md"), outline("x")); err == nil {
		t.Error("BlockIDs after Close: no error")
	}
	for _, err := range s.Digests(t.Context()) {
		if err == nil {
			t.Error("Digests after Close: no error")
		}
	}
}
