package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

// nasty texts cost more in JSON than they look, or look like JSON.
var nasty = []string{
	"plain ", `"quoted" `, `back\slash `, "line\nbreak ", "tab\t", "\x01", "\u2028", "é", "漢字", "😀", "<b>&amp;", "\x7f", "\ufffd", "\xff",
}

func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(nasty[r.IntN(len(nasty))])
	}
	return b.String()
}

// check tells whether a result is sound JSON within its budget, and returns
// the response object.
func check[T any](t *testing.T, r mcp.Result, budget int) (v T) {
	t.Helper()
	if r.Size() > budget {
		t.Fatalf("the result has %d bytes, the budget %d", r.Size(), budget)
	}
	if !utf8.Valid(r.Structured) {
		t.Fatal("the result is not valid UTF-8")
	}
	if err := json.Unmarshal(r.Structured, &v); err != nil {
		t.Fatalf("%v: %.300s", err, r.Structured)
	}
	return v
}

func TestCutCostsWhatItSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var e encoder
	for _, s := range append(nasty, text(r, 500), text(r, 5000)) {
		compact := e.encode(s)
		if got, want := total(s, 1<<30, costOnce), len(compact)-2; got != want {
			t.Errorf("%.20q costs %d once, counted %d", s, want, got)
		}
		if got, want := total(s, 1<<30, costTwice), cost(compact)-2-4; got != want {
			t.Errorf("%.20q costs %d twice, counted %d", s, want, got)
		}
		for room := range 40 {
			short := cut(s, room, costTwice)
			if !strings.HasPrefix(s, short) || total(short, 1<<30, costTwice) > room {
				t.Errorf("%.20q cut to %d is %q", s, room, short)
			}
			if rest := s[len(short):]; rest != "" {
				_, size := utf8.DecodeRuneInString(rest)
				if total(short+rest[:size], 1<<30, costTwice) <= room {
					t.Errorf("%.20q cut to %d could be longer than %q", s, room, short)
				}
			}
		}
	}
	if got := total("aaaa", 2, costOnce); got != 3 {
		t.Errorf("total stops at %d, want just above the limit", got)
	}
}

func TestCutLine(t *testing.T) {
	for _, tt := range []struct {
		s    string
		room int
		want string
	}{
		{"one\ntwo\nthree\n", 100, "one\ntwo\nthree\n"},
		{"one\ntwo\nthree\n", 12, "one\ntwo\n"},
		{"one\r\ntwo\r\nthree", 15, "one\r\ntwo\r\n"},
		{"one two three", 5, "one t"},
		{"é", 1, ""},
		{"a\n" + strings.Repeat("b", 100), 50, "a\n" + strings.Repeat("b", 47)},
	} {
		if got := cutLine(tt.s, tt.room, costOnce); got != tt.want {
			t.Errorf("cutLine(%q, %d) = %q, want %q", tt.s, tt.room, got, tt.want)
		}
	}
}

func TestNote(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	path := "projects/example.md"
	doc := func(content, links, tags, front int) stratum.NoteDocument {
		d := stratum.NoteDocument{
			Path: path, Slug: "projects/example", Title: "Example", Content: strings.ToValidUTF8(text(r, content), "?"),
			Frontmatter: map[string]any{}, Links: []stratum.NoteLink{}, Tags: []string{}, ModifiedAt: "2026-01-01T00:00:00.000000000Z",
		}
		for i := range links {
			d.Links = append(d.Links, stratum.NoteLink{Target: fmt.Sprint("Target ", i), Position: i})
		}
		for i := range tags {
			d.Tags = append(d.Tags, fmt.Sprint("tag", i))
		}
		for i := range front {
			d.Frontmatter[fmt.Sprintf("key%06d", i)] = []any{"value", i, nil, true}
		}
		return d
	}
	const budget = 100_000
	t.Run("a small one comes whole and twice", func(t *testing.T) {
		d := doc(2000, 5, 3, 2)
		res := note(d, budget)
		got := check[stratum.NoteDocument](t, res, budget)
		if res.Text != "" || got.Content != d.Content || got.Truncated {
			t.Errorf("text %q, truncated %v", res.Text, got.Truncated)
		}
	})
	t.Run("a larger one first loses the text block", func(t *testing.T) {
		d := doc(60_000, 5, 3, 2)
		res := note(d, budget)
		got := check[stratum.NoteDocument](t, res, budget)
		if got.Content != d.Content || got.Truncated || len(got.Links) != 5 {
			t.Error("the note is not whole")
		}
		if !strings.Contains(res.Text, "structuredContent") || !strings.Contains(res.Text, path) {
			t.Errorf("the text does not say where the note is: %q", res.Text)
		}
	})
	t.Run("what does not fit is cut", func(t *testing.T) {
		for name, d := range map[string]stratum.NoteDocument{
			"content":                    doc(300_000, 5, 3, 2),
			"links":                      doc(3000, 5_000, 3, 2),
			"content and links":          doc(300_000, 5_000, 3, 2),
			"tags":                       doc(3000, 5, 15_000, 2),
			"frontmatter":                doc(3000, 5, 3, 5_000),
			"everything":                 doc(300_000, 5_000, 15_000, 5_000),
			"everything in a small room": doc(300_000, 5_000, 15_000, 5_000),
		} {
			room := budget
			if strings.Contains(name, "small") {
				room = 3000
			}
			res := note(d, room)
			got := check[stratum.NoteDocument](t, res, room)
			if !got.Truncated || got.ContentBytes != len(d.Content) {
				t.Errorf("%s: truncated %v, content_bytes %d of %d", name, got.Truncated, got.ContentBytes, len(d.Content))
			}
			if !strings.HasPrefix(d.Content, got.Content) {
				t.Errorf("%s: the content is no start of the note's", name)
			}
			if len(got.Content) < len(d.Content) && !strings.HasSuffix(got.Content, "\n") && room == budget {
				t.Errorf("%s: the content is not cut at a line", name)
			}
			if res.Size() < room*2/3 && len(got.Content) < len(d.Content) {
				t.Errorf("%s: only %d of %d bytes are used", name, res.Size(), room)
			}
			if got.Links == nil || got.Tags == nil || got.Frontmatter == nil {
				t.Errorf("%s: a list has become null", name)
			}
			if !strings.Contains(res.Text, "truncated") {
				t.Errorf("%s: text %q", name, res.Text)
			}
		}
	})
	t.Run("a title without end", func(t *testing.T) {
		d := doc(300_000, 0, 0, 0)
		d.Title = text(r, 200_000)
		d.Frontmatter["title"] = d.Title
		got := check[stratum.NoteDocument](t, note(d, budget), budget)
		if got.Title == "" || got.Content == "" || len(got.Title) > titleMax {
			t.Errorf("title of %d bytes, content of %d", len(got.Title), len(got.Content))
		}
	})
	t.Run("a paging line of one endless line", func(t *testing.T) {
		d := doc(0, 0, 0, 0)
		d.Content = "# Title\n" + strings.Repeat("x", 300_000)
		if got := check[stratum.NoteDocument](t, note(d, budget), budget); len(got.Content) < budget*9/10 {
			t.Errorf("only %d bytes of content", len(got.Content))
		}
	})
	t.Run("every size around the steps", func(t *testing.T) {
		for n := 40_000; n < 110_000; n += 2999 {
			check[stratum.NoteDocument](t, note(doc(n, 10, 0, 0), budget), budget)
		}
	})
}

func hits(contents ...string) iter.Seq2[stratum.SearchHit, error] {
	return func(yield func(stratum.SearchHit, error) bool) {
		for i, c := range contents {
			id := fmt.Sprintf("id-%d", i)
			if !yield(stratum.SearchHit{BlockID: &id, Content: c, PagePath: "a.md", Snippet: "s", Score: 0.5}, nil) {
				return
			}
		}
	}
}

type searchAnswer struct {
	Results    []stratum.SearchHit
	Total      int
	NextOffset *int `json:"next_offset"`
	Relaxed    bool
}

func TestHits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const budget = 20_000
	t.Run("none", func(t *testing.T) {
		out, all, err := encodeHits(kb.SearchResult{Hits: hits()}, 10, budget)
		if err != nil || !all {
			t.Fatal(all, err)
		}
		if got, want := string(out.result(searchTail{}).Structured), `{"results":[],"total":0,"next_offset":null}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("a page ends where the budget does", func(t *testing.T) {
		contents := make([]string, 100)
		for i := range contents {
			contents[i] = strings.ToValidUTF8(text(r, 100+r.IntN(1000)), "?")
		}
		seen := 0
		for pages := 0; seen < len(contents); pages++ {
			if pages > len(contents) {
				t.Fatal("paging does not end")
			}
			out, all, err := encodeHits(kb.SearchResult{Hits: hits(contents[seen:]...)}, 1000, budget)
			if err != nil {
				t.Fatal(err)
			}
			got := check[searchAnswer](t, out.result(searchTail{Total: 123_456_789, Relaxed: true, Truncated: true}), budget)
			if len(got.Results) != out.len || out.len == 0 {
				t.Fatalf("%d results, counted %d", len(got.Results), out.len)
			}
			for i, h := range got.Results {
				if h.Truncated || h.Content != contents[seen+i] {
					t.Errorf("hit %d is %.40q, truncated %v; want %.40q", seen+i, h.Content, h.Truncated, contents[seen+i])
				}
			}
			seen += out.len
			if all != (seen == len(contents)) {
				t.Errorf("after %d hits all is %v", seen, all)
			}
		}
	})
	t.Run("one too large alone is cut inside", func(t *testing.T) {
		for range 20 {
			out, _, err := encodeHits(kb.SearchResult{Hits: hits(text(r, 50_000), "second")}, 10, budget)
			if err != nil {
				t.Fatal(err)
			}
			got := check[searchAnswer](t, out.result(searchTail{Total: 2}), budget)
			if len(got.Results) != 1 || !got.Results[0].Truncated || len(got.Results[0].Content) < 3000 {
				t.Errorf("%d results, truncated %v, %d bytes", len(got.Results), got.Results[0].Truncated, len(got.Results[0].Content))
			}
		}
	})
	t.Run("an error among them is the answer", func(t *testing.T) {
		broken := errors.New("disk gone")
		failing := func(yield func(stratum.SearchHit, error) bool) { yield(stratum.SearchHit{}, broken) }
		if _, _, err := encodeHits(kb.SearchResult{Hits: failing}, 10, budget); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no more than the limit", func(t *testing.T) {
		out, all, err := encodeHits(kb.SearchResult{Hits: hits("a", "b", "c")}, 2, budget)
		if err != nil || out.len != 2 || !all {
			t.Errorf("%d hits, all %v, %v", out.len, all, err)
		}
		if out, _, _ := encodeHits(kb.SearchResult{Hits: hits("a")}, 0, budget); out.len != 0 {
			t.Errorf("%d hits for a limit of 0", out.len)
		}
	})
}

func TestPages(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var all []stratum.PageSummary
	for i := range 300 {
		slug := fmt.Sprintf("%04d %s", i, strings.Repeat("ü", r.IntN(100)))
		all = append(all, stratum.PageSummary{Path: slug + ".md", Slug: slug, Title: text(r, r.IntN(300))})
	}
	all[7].Title = text(r, 100_000)
	const budget = 20_000
	type pageAnswer struct {
		Pages      []pageRow
		NextCursor *string `json:"next_cursor"`
	}
	var seen []string
	for rest := all; len(rest) > 0; {
		got := check[pageAnswer](t, encodePages(rest, false, budget), budget)
		if len(got.Pages) == 0 {
			t.Fatal("an empty page")
		}
		for _, p := range got.Pages {
			if p.Truncated != (p.Path == all[7].Path) {
				t.Errorf("%s: truncated %v", p.Path, p.Truncated)
			}
			seen = append(seen, p.Path)
		}
		rest = rest[len(got.Pages):]
		if (got.NextCursor != nil) != (len(rest) > 0) {
			t.Fatalf("%d pages left, cursor %v", len(rest), got.NextCursor)
		}
		if got.NextCursor != nil {
			after, err := parseCursor(*got.NextCursor)
			if err != nil || after.String() != seen[len(seen)-1] {
				t.Fatalf("the cursor leads behind %v, %v", after, err)
			}
		}
	}
	if len(seen) != len(all) {
		t.Errorf("%d notes, want %d", len(seen), len(all))
	}
	if got, want := string(encodePages(nil, false, budget).Structured), `{"pages":[],"next_cursor":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := check[pageAnswer](t, encodePages(all[:2], true, budget), budget); got.NextCursor == nil {
		t.Error("more notes follow, and there is no cursor")
	}
}

func TestOtherLists(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const budget = 10_000
	t.Run("backlinks", func(t *testing.T) {
		links := func(n, size int, end error) iter.Seq2[stratum.Backlink, error] {
			return func(yield func(stratum.Backlink, error) bool) {
				for range n {
					if !yield(stratum.Backlink{SourcePage: "a.md", Context: text(r, size), IsLinked: true}, nil) {
						return
					}
				}
				if end != nil {
					yield(stratum.Backlink{}, end)
				}
			}
		}
		type backlinkAnswer struct {
			Backlinks []backlinkRow
			Truncated bool
		}
		for _, tt := range []struct {
			n, size int
			cut     bool
		}{{0, 0, false}, {5, 200, false}, {100, 500, true}, {1, 50_000, false}, {2, 50_000, true}} {
			res, err := encodeBacklinks(links(tt.n, tt.size, nil), budget)
			if err != nil {
				t.Fatal(err)
			}
			got := check[backlinkAnswer](t, res, budget)
			if got.Truncated != tt.cut || tt.n > 0 && len(got.Backlinks) == 0 {
				t.Errorf("%d of %d bytes: %d backlinks, truncated %v", tt.n, tt.size, len(got.Backlinks), got.Truncated)
			}
		}
		if _, err := encodeBacklinks(links(1, 10, errors.New("gone")), budget); err == nil {
			t.Error("an error was swallowed")
		}
	})
	t.Run("completions", func(t *testing.T) {
		type completionAnswer struct {
			Items     []completionRow
			Truncated bool
		}
		many := make([]stratum.Completion, 100)
		for i := range many {
			many[i] = stratum.Completion{Text: text(r, 300), Kind: "page", Detail: "a.md"}
		}
		if got := check[completionAnswer](t, encodeCompletions(many, budget), budget); !got.Truncated || len(got.Items) == 0 {
			t.Errorf("%d items, truncated %v", len(got.Items), got.Truncated)
		}
		if got, want := string(encodeCompletions(nil, budget).Structured), `{"items":[]}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("answers with one endless text", func(t *testing.T) {
		ref := stratum.PageRef{Path: "a.md", Slug: "a", Title: text(r, 50_000)}
		got := check[resolveLinkAnswer](t, encodeResolved(&ref, budget), budget)
		if !got.Truncated || got.Resolved.Title == "" || len(ref.Title) < 50_000 {
			t.Errorf("truncated %v, title %.20q", got.Truncated, got.Resolved.Title)
		}
		ref.Title = text(r, 5000)
		res := encodeResolved(&ref, budget)
		if got := check[resolveLinkAnswer](t, res, budget); got.Truncated || res.Text == "" {
			t.Errorf("truncated %v, text %q; want the whole answer without its copy", got.Truncated, res.Text)
		}
		tag := stratum.TagOperationResult{Path: "a.md", Success: true, Tag: strings.Repeat("t", 50_000), Action: "add"}
		if got := check[tagAnswer](t, encodeTag(tag, budget), budget); !got.Truncated || got.Path != "a.md" {
			t.Errorf("truncated %v, path %s", got.Truncated, got.Path)
		}
	})
}
