package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"stratum"
)

// digests returns what Digests yields, by path, and checks its order.
func digests(t testing.TB, s *Store) map[string]PageDigest {
	t.Helper()
	all := map[string]PageDigest{}
	last := ""
	for d, err := range s.Digests(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Path.String() <= last {
			t.Errorf("%s comes after %s", d.Path, last)
		}
		last = d.Path.String()
		all[last] = d
	}
	return all
}

// rich is a page that uses every column.
func rich(t testing.TB) Page {
	p := page(t, "rich.md", idX+"|one [[b]]", "  two", "  three [[c^"+idY+"]]", "four").
		link(-1, "up", "").link(0, "b", "b.md").link(2, "c^"+idY, "c").link(2, "#x", "")
	p.Note.Title = "Rich <&> \"title\"\u2028"
	p.Note.Frontmatter = map[string]any{
		"title": "Rich", "tags": []string{"x"}, "aliases": []string{"r"}, "created": "2026-01-01",
		"n": int64(1), "f": 1.5, "whole": 2.0, "big": uint64(1 << 63), "deep": map[string]any{"l": []any{nil, true, "s"}},
	}
	b := p.Note.Blocks
	b[0].HeadingLevel, b[1].Marker, b[1].Priority, b[2].Collapsed = 2, "TODO", "B", true
	b[3].Properties = map[string]string{"k": "<v>", "a": "\u2028"}
	return p
}

func TestDigestsMatchWhatWasPut(t *testing.T) {
	s := open(t, dbPath(t))
	pages := []Page{rich(t), page(t, "empty.md"), page(t, "deep/a b.md", "x", "\xff broken \x00 text")}
	put(t, s, pages...)
	got := digests(t, s)
	if len(got) != len(pages) {
		t.Errorf("%d pages, want %d", len(got), len(pages))
	}
	for _, p := range pages {
		if got[p.Path.String()] != DigestOf(p) {
			t.Errorf("%s: the digest of its rows is not that of its note", p.Path)
		}
	}
}

func TestDigestsFindWhatIsDifferent(t *testing.T) {
	type parts struct{ page, blocks, links bool } // which differ
	var (
		pageDiffers   = parts{page: true}
		blocksDiffer  = parts{blocks: true}
		linksDiffer   = parts{links: true}
		nothingDiffer = parts{}
	)
	fm := func(json string) string {
		return `UPDATE pages SET frontmatter = '` + json + `' WHERE path = 'rich.md'`
	}
	for _, tt := range []struct {
		name, sql string
		want      parts
	}{
		{"timestamps", `UPDATE blocks SET modified_at = '2026-09-05T10:00:00.123+00:00', created_at = '2026-09-05T10:00:00+00:00'`, nothingDiffer},
		{"collapsed", `UPDATE blocks SET collapsed = 1`, nothingDiffer},
		{"an id", `UPDATE blocks SET id = '` + idZ + `' WHERE content = 'four'`, nothingDiffer},
		{"order of JSON keys", fm(`{"f":1.50,"whole":2.0,"big":9223372036854775808,"n":1,"deep":{"l":[null,true,"s"]},"title":"Rich <&> \"title\"\u2028","created":"2026-01-01","tags":["x"],"aliases":["r"]}`), nothingDiffer},
		{"order of properties", `UPDATE blocks SET properties = '{ "k":"\u003cv>", "a":"\u2028"}' WHERE content = 'four'`, nothingDiffer},

		{"title", `UPDATE pages SET title = 'x'`, pageDiffers},
		{"no title", `UPDATE pages SET title = NULL`, pageDiffers},
		{"block count", `UPDATE pages SET block_count = 3`, pageDiffers},
		{"frontmatter", fm(`{}`), pageDiffers},
		{"page's timestamp with Z", `UPDATE pages SET modified_at = '2026-09-05T10:00:00Z'`, pageDiffers},
		{"page's timestamp that is none", `UPDATE pages SET created_at = 'yesterday'`, pageDiffers},
		{"page as a blob", `UPDATE pages SET title = CAST(title AS BLOB)`, pageDiffers},
		{"no row of pages", `DELETE FROM pages`, pageDiffers},

		{"content", `UPDATE blocks SET content = 'x' WHERE content = 'two'`, blocksDiffer},
		{"content of invalid UTF-8", `UPDATE blocks SET content = CAST(x'74776fff' AS TEXT) WHERE content = 'two'`, blocksDiffer},
		{"content as a blob", `UPDATE blocks SET content = CAST(content AS BLOB) WHERE content = 'two'`, blocksDiffer},
		{"parent", `UPDATE blocks SET parent_id = NULL WHERE content = 'two'`, blocksDiffer},
		{"parent that is not there", `UPDATE blocks SET parent_id = '` + idZ + `' WHERE content = 'four'`, blocksDiffer},
		{"left", `UPDATE blocks SET left_id = NULL WHERE content = 'four'`, blocksDiffer},
		{"marker", `UPDATE blocks SET marker = 'DONE' WHERE content = 'two'`, blocksDiffer},
		{"priority", `UPDATE blocks SET priority = NULL WHERE content = 'two'`, blocksDiffer},
		{"heading level", `UPDATE blocks SET heading_level = NULL`, blocksDiffer},
		{"properties", `UPDATE blocks SET properties = '{}' WHERE content = 'four'`, blocksDiffer},
		{"properties of other values", `UPDATE blocks SET properties = '{"a":1}' WHERE content = 'two'`, blocksDiffer},
		{"properties with null", `UPDATE blocks SET properties = '{"a":null}' WHERE content = 'two'`, blocksDiffer},
		{"properties that are no JSON", `UPDATE blocks SET properties = '{' WHERE content = 'two'`, blocksDiffer},
		{"block's timestamp with Z", `UPDATE blocks SET created_at = '2026-09-05T10:00:00Z' WHERE content = 'two'`, blocksDiffer},
		{"upper-case id", `UPDATE blocks SET id = upper(id) WHERE content = 'four'`, blocksDiffer},
		{"a block too many", `INSERT INTO blocks SELECT '` + idZ + `', page_path, 'more', NULL, NULL, '{}', NULL, NULL, 0, NULL, created_at, modified_at FROM blocks LIMIT 1`, blocksDiffer},

		{"target", `UPDATE links SET target_page = 'x' WHERE target_page = 'b.md'`, linksDiffer},
		{"target's case", `UPDATE links SET target_page = 'B.md' WHERE target_page = 'b.md'`, linksDiffer},
		{"target block", `UPDATE links SET target_block = NULL`, linksDiffer},
		{"type", `UPDATE links SET link_type = 'x' WHERE target_page = 'b.md'`, linksDiffer},
		{"a link too many", `INSERT INTO links (source_block, link_type, target_page) VALUES ('` + idX + `', 'page_ref', 'x')`, linksDiffer},
		{"no links", `DELETE FROM links`, linksDiffer},
		{"no blocks", `DELETE FROM blocks`, parts{blocks: true, links: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := dbPath(t)
			s := open(t, file)
			p := rich(t)
			put(t, s, p)
			a := openApp(t, file)
			a.exec(tt.sql)
			got, want := digests(t, s)[p.Path.String()], DigestOf(p)
			differ := parts{got.Page != want.Page, got.Blocks != want.Blocks, got.Links != want.Links}
			if differ != tt.want {
				t.Errorf("differ: got %+v, want %+v", differ, tt.want)
			}
			// Put sees it as well, and mends it. Only ids are the database's to choose.
			mended := put(t, s, p)
			if (mended == 1) != (tt.want != nothingDiffer) {
				t.Errorf("Put changed %d pages", mended)
			}
			if digests(t, s)[p.Path.String()] != want {
				t.Error("Put did not mend the rows")
			}
		})
	}
}

// Each is a row that makes the app's graph fail for the whole vault.
func TestDamagedFrontmatterIsFound(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	p := page(t, "a.md")
	put(t, s, p)
	a := openApp(t, file)
	for _, json := range []string{
		``, `null`, `[]`, `{`, `{}x`, `{} {}`, `{"title":1}`, `{"title":null,"title":null}`, `{"tags":null}`, `{"tags":"a"}`,
		`{"tags":[1]}`, `{"aliases":{}}`, `{"created":false}`, `{"x":1e999}`, `{"x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
	} {
		a.exec(`UPDATE pages SET frontmatter = ?`, json)
		if digests(t, s)["a.md"] == DigestOf(p) {
			t.Errorf("frontmatter %.40s is not found", json)
		}
		if put(t, s, p) != 1 || digests(t, s)["a.md"] != DigestOf(p) {
			t.Errorf("frontmatter %.40s is not mended", json)
		}
	}
}

func TestFrontmatterIsAlwaysReadable(t *testing.T) {
	deep := any("bottom")
	for range 300 {
		deep = []any{deep}
	}
	for name, fm := range map[string]map[string]any{
		"odd types":  {"title": []any{"x"}, "created": map[string]any{}, "modified": int64(2024), "tags": "a, b", "aliases": []any{int64(1), nil, "x"}},
		"no numbers": {"nan": nan(), "inf": -1 / zero(), "x": struct{}{}},
		"too deep":   {"deep": deep},
		"bad UTF-8":  {"k": "\xff", "l": []any{"\xfe"}, "tags": []string{"\xfd"}},
	} {
		n := &stratum.Note{Frontmatter: fm}
		text := encodeFrontmatter(n)
		canonical, ok := canonicalFrontmatter(text)
		if !ok || canonical != text {
			t.Errorf("%s: %s is read as %s, %v", name, text, canonical, ok)
		}
	}
}

func zero() float64 { return 0 }
func nan() float64  { return zero() / zero() }

func TestDigestsOfExtraAndMissing(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", "x"), page(t, "b.md", "y"))
	a := openApp(t, file)
	a.exec(`INSERT INTO blocks SELECT '` + idX + `', 'orphan.md', content, NULL, NULL, '{}', NULL, NULL, 0, NULL, created_at, modified_at FROM blocks LIMIT 1`)
	a.exec(`INSERT INTO pages SELECT '.hidden/x.md', title, frontmatter, 0, created_at, modified_at FROM pages LIMIT 1`)
	a.exec(`INSERT INTO pages SELECT NULL, title, frontmatter, 0, created_at, modified_at FROM pages LIMIT 1`)
	var got []string
	for p := range digests(t, s) {
		got = append(got, p)
	}
	slices.Sort(got)
	if want := []string{"a.md", "b.md", "orphan.md"}; !slices.Equal(got, want) {
		t.Errorf("pages are %v, want %v", got, want)
	}
	if err := s.Delete(t.Context(), path(t, "orphan.md")); err != nil {
		t.Fatal(err)
	}
	if _, ok := digests(t, s)["orphan.md"]; ok {
		t.Error("Delete left blocks that have no page")
	}
}

func TestDigestsAreOfOneMoment(t *testing.T) {
	s := open(t, dbPath(t))
	pages := []Page{page(t, "a.md", "one").link(0, "x", "x"), page(t, "b.md", "one").link(0, "x", "x")}
	put(t, s, pages...)
	for d, err := range s.Digests(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Path == pages[0].Path { // a writer changes what comes next
			put(t, s, page(t, "b.md", "two").link(0, "y", "y"))
			continue
		}
		if d != DigestOf(pages[1]) {
			t.Error("the second page is not as it was when the first was yielded")
		}
	}
	for range s.Digests(t.Context()) {
		break // leaves no connection behind, or the next would wait for ever
	}
	for range maxReaders + 1 {
		for range s.Digests(t.Context()) {
			break
		}
	}
}

func TestDigestsReportFaults(t *testing.T) {
	fault := errors.New("fault")
	for _, statement := range []string{sqlAllPages, sqlAllBlocks, sqlAllLinks} {
		s := open(t, dbPath(t), WithHook(func(st string) error {
			if st == statement {
				return fault
			}
			return nil
		}))
		var got error
		for _, err := range s.Digests(t.Context()) {
			got = err
		}
		if !errors.Is(got, fault) {
			t.Errorf("fault in %.30s: got %v", statement, got)
		}
	}
}

// Whatever stands in a row, reading it never fails badly, and what is
// readable has one canonical form.
func FuzzCanonicalFrontmatter(f *testing.F) {
	for _, seed := range []string{`{}`, `{"title":"a","tags":["x"],"n":1.0,"e":1e3}`, `{"x":{"y":[1,2,{}]}}`, `{"a":"\ud800"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		canonical, ok := canonicalFrontmatter(text)
		if !ok {
			return
		}
		if again, ok := canonicalFrontmatter(canonical); !ok || again != canonical {
			t.Errorf("%q became %q and then %q, %v", text, canonical, again, ok)
		}
	})
}
