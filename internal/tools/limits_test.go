package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

// smallMax is an MCP_RESPONSE_MAX that is soon reached.
const smallMax = 8 << 10

// ask sends one tool call and checks that its line stays within the limit.
func ask[T any](t *testing.T, s *mcp.Server, name string, args any) (v T) {
	t.Helper()
	r := handle(t, s, fmt.Sprintf(`{"jsonrpc":"2.0","id":"an id","method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, marshal(args)))
	if r.Err != nil {
		t.Fatalf("%s(%.200v): %v", name, args, r.Err)
	}
	if got := len(r.Body) + len("\n"); got > smallMax {
		t.Fatalf("%s(%.200v): the line has %d bytes, the limit is %d", name, args, got, smallMax)
	}
	var a struct {
		Result struct {
			StructuredContent T
			Content           []struct{ Text string }
		}
	}
	if err := json.Unmarshal(r.Body, &a); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if a.Result.Content[0].Text == "" {
		t.Errorf("%s has no text", name)
	}
	return a.Result.StructuredContent
}

// TestResponseMax goes through a vault that is much larger than an answer may
// be, with every tool whose answer can grow.
func TestResponseMax(t *testing.T) {
	dir := t.TempDir()
	vaulttest.Mkdir(t, dir, ".pkm")
	const notes = 150
	for i := range notes {
		vaulttest.Write(t, dir, fmt.Sprintf("note %03d.md", i), fmt.Sprintf(
			"---\ntitle: \"Note \\\"%d\\\"\"\ntags: [all, t%d]\n---\nHub word \"quoted\" \\ of [[note 000]] and [[note %03d|shown]].\n\n- line %d\n", i, i, (i*7)%notes, i))
	}
	large := "# Large\n\n" + strings.Repeat("A \"line\" of [[note 001]] with\ttabs and ü.\n\n", 2000)
	vaulttest.Write(t, dir, "large.md", large)
	vaulttest.Write(t, dir, "endless.md", "Endless "+strings.Repeat("words without a break ", 5000))
	s := openServer(t, dir, mcp.Options{ResponseMax: smallMax})

	t.Run("kb_list_pages", func(t *testing.T) {
		type answer struct {
			Pages      []stratum.PageSummary
			NextCursor *string `json:"next_cursor"`
		}
		seen := map[string]bool{}
		args := map[string]any{"limit": 1000}
		for pages := 0; ; pages++ {
			got := ask[answer](t, s, "kb_list_pages", args)
			for _, p := range got.Pages {
				if seen[p.Path] {
					t.Fatalf("%s came twice", p.Path)
				}
				seen[p.Path] = true
			}
			if got.NextCursor == nil {
				break
			}
			if args["cursor"] = *got.NextCursor; len(got.Pages) == 0 || pages > notes {
				t.Fatal("paging does not get on")
			}
		}
		if len(seen) != notes+2 {
			t.Errorf("%d notes, want %d", len(seen), notes+2)
		}
	})
	t.Run("kb_search", func(t *testing.T) {
		seen := 0
		for offset := 0; ; {
			got := ask[searchAnswer](t, s, "kb_search", map[string]any{"query": "hub word", "limit": 1000, "offset": offset})
			seen += len(got.Results)
			if got.Total != notes {
				t.Errorf("total %d, want %d", got.Total, notes)
			}
			if got.NextOffset == nil {
				break
			}
			if *got.NextOffset != offset+len(got.Results) || len(got.Results) == 0 {
				t.Fatalf("%d results from %d, then %d", len(got.Results), offset, *got.NextOffset)
			}
			offset = *got.NextOffset
		}
		if seen != notes {
			t.Errorf("%d hits, want %d", seen, notes)
		}
	})
	t.Run("kb_search finds a block too large alone", func(t *testing.T) {
		got := ask[searchAnswer](t, s, "kb_search", map[string]any{"query": "without break endless"})
		if len(got.Results) != 1 || !got.Results[0].Truncated || !strings.HasPrefix(got.Results[0].Content, "Endless words") {
			t.Errorf("%d results: %.300v", len(got.Results), got.Results)
		}
	})
	t.Run("kb_search_by_tag", func(t *testing.T) {
		type answer struct {
			searchAnswer
			Truncated bool
		}
		got := ask[answer](t, s, "kb_search_by_tag", map[string]any{"tag": "all", "limit": 1000})
		if !got.Truncated || got.NextOffset != nil || len(got.Results) == 0 || got.Total <= len(got.Results) {
			t.Errorf("%d of %d results, truncated %v", len(got.Results), got.Total, got.Truncated)
		}
	})
	t.Run("kb_backlinks", func(t *testing.T) {
		type answer struct {
			Backlinks []stratum.Backlink
			Truncated bool
		}
		got := ask[answer](t, s, "kb_backlinks", map[string]any{"path": "note 000"})
		if !got.Truncated || len(got.Backlinks) == 0 || !got.Backlinks[len(got.Backlinks)-1].IsLinked {
			t.Errorf("%d backlinks, truncated %v", len(got.Backlinks), got.Truncated)
		}
	})
	t.Run("kb_graph", func(t *testing.T) {
		whole, err := NewServer(openKB(t, vaulttest.New(t, garden)), mcp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if small := call[stratum.GraphData](t, whole, "kb_graph", nil); small.Truncated {
			t.Error("a small graph was cut")
		}
		got := ask[stratum.GraphData](t, s, "kb_graph", map[string]any{})
		if !got.Truncated || got.NodeCount != notes+2 || len(got.Nodes) == 0 || len(got.Edges) == 0 || got.Nodes[0].ID != "note 000" {
			t.Errorf("%d of %d nodes, %d edges, truncated %v", len(got.Nodes), got.NodeCount, len(got.Edges), got.Truncated)
		}
	})
	t.Run("kb_autocomplete", func(t *testing.T) {
		type answer struct {
			Items     []stratum.Completion
			Truncated bool
		}
		if got := ask[answer](t, s, "kb_autocomplete", map[string]any{"query": "note", "limit": 100}); len(got.Items) == 0 {
			t.Error("nothing was suggested")
		}
	})
	t.Run("kb_get_page and kb_write_page", func(t *testing.T) {
		got := ask[stratum.NoteDocument](t, s, "kb_get_page", map[string]any{"path": "large"})
		if !got.Truncated || got.ContentBytes != len(large) || !strings.HasPrefix(large, got.Content) || !strings.HasSuffix(got.Content, "\n") || len(got.Links) == 0 {
			t.Errorf("truncated %v, %d of %d bytes, %d links", got.Truncated, len(got.Content), got.ContentBytes, len(got.Links))
		}
		wrote := ask[stratum.NoteDocument](t, s, "kb_write_page", map[string]any{"path": "large", "content": large + "more\n"})
		if !wrote.Truncated || wrote.ContentBytes != len(large)+len("more\n") {
			t.Errorf("truncated %v, content_bytes %d", wrote.Truncated, wrote.ContentBytes)
		}
		if got := vaulttest.Read(t, dir, "large.md"); got != large+"more\n" {
			t.Errorf("the file has %d bytes, want all %d", len(got), len(large)+len("more\n"))
		}
	})
	t.Run("kb_add_tag", func(t *testing.T) {
		tag := strings.Repeat("long/", 4000) + "tag"
		got := ask[tagAnswer](t, s, "kb_add_tag", map[string]any{"path": "note 000", "tag": tag})
		if !got.Truncated || got.Applied != 1 || !strings.HasPrefix(tag, got.Tag) {
			t.Errorf("truncated %v, applied %d", got.Truncated, got.Applied)
		}
	})
}

// Paging ends at MCP_TOKEN_MAX_SCORE_MATCHES, whatever the total is.
func TestSearchPagingEnds(t *testing.T) {
	const matches = stratum.TokenMaxScoreMatches + 200
	dir := t.TempDir()
	vaulttest.Mkdir(t, dir, ".pkm")
	vaulttest.Write(t, dir, "apples.md", strings.Repeat("- apple\n", matches))
	s := openServer(t, dir, mcp.Options{})
	for _, tt := range []struct{ offset, limit, results, next int }{
		{0, 10, 10, 10},
		{stratum.TokenMaxScoreMatches - 20, 10, 10, stratum.TokenMaxScoreMatches - 10},
		{stratum.TokenMaxScoreMatches - 10, 10, 10, 0},
		{stratum.TokenMaxScoreMatches - 10, 1000, 10, 0},
		{stratum.TokenMaxScoreMatches, 10, 0, 0},
		{matches - 5, 10, 0, 0},
	} {
		got := call[searchAnswer](t, s, "kb_search", map[string]any{"query": "apple", "offset": tt.offset, "limit": tt.limit})
		next := 0
		if got.NextOffset != nil {
			next = *got.NextOffset
		}
		if got.Total != matches || len(got.Results) != tt.results || next != tt.next {
			t.Errorf("from %d, %d at most: %d of %d results, next %d; want %d, next %d",
				tt.offset, tt.limit, len(got.Results), got.Total, next, tt.results, tt.next)
		}
	}
}

// What kb_get_page gives, kb_write_page takes without changing a byte.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	vaulttest.Mkdir(t, dir, ".pkm")
	contents := map[string]string{
		"empty.md": "", "crlf.md": "---\r\ntitle: x\r\n---\r\na\r\n\r\nb", "bom.md": "\ufeff# Title\n", "odd.md": "---\na: [\n---\n\x01\t\u2028 <b>&\\ \"q\" 漢字 😀\n\n\n",
		"replacement.md": "\ufffd is a character too\n", "no newline.md": "x", "nul.md": "a\x00b\n",
	}
	for name, content := range contents {
		vaulttest.Write(t, dir, name, content)
	}
	s := openServer(t, dir, mcp.Options{})
	for name, content := range contents {
		before := call[stratum.NoteDocument](t, s, "kb_get_page", map[string]any{"path": name})
		if before.Content != content {
			t.Errorf("%s reads as %q, want %q", name, before.Content, content)
		}
		after := call[stratum.NoteDocument](t, s, "kb_write_page", map[string]any{
			"path": name, "content": before.Content, "expected_modified": before.ModifiedAt,
		})
		if got := vaulttest.Read(t, dir, name); got != content || after.ModifiedAt != before.ModifiedAt {
			t.Errorf("%s became %q at %s, was %q at %s", name, got, after.ModifiedAt, content, before.ModifiedAt)
		}
	}
}

// While somebody else holds the vault's lock, writes are refused with a time
// to come back, and reads go on.
func TestVaultLocked(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k, err := kb.Open(dir, kb.Options{WriteWait: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(k, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	unlock, err := other.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	writes := map[string]any{
		"kb_write_page": map[string]any{"path": "soil", "content": "x"}, "kb_delete_page": map[string]any{"path": "soil"},
		"kb_add_tag": map[string]any{"path": "soil", "tag": "x"}, "kb_remove_tag": map[string]any{"path": "soil", "tag": "earth"},
	}
	for name, args := range writes {
		_, err := Run(t.Context(), s, name, marshal(args))
		if e := stratum.AsError(err); e == nil || e.Kind != stratum.VaultLocked || e.Data().RetryAfterSeconds < 1 || e.Hint == "" {
			t.Errorf("%s: %v, want VaultLocked with a time", name, err)
		}
	}
	if got := call[stratum.NoteDocument](t, s, "kb_get_page", map[string]any{"path": "soil"}); !strings.HasPrefix(got.Content, "Good soil") {
		t.Errorf("the note became %q", got.Content)
	}
	unlock()
	if _, err := Run(t.Context(), s, "kb_write_page", marshal(writes["kb_write_page"])); err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

func BenchmarkGetPage(b *testing.B) {
	s := openServer(b, vaulttest.New(b, garden), mcp.Options{})
	const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kb_get_page","arguments":{"path":"index.md"}}}`
	b.ReportAllocs()
	for b.Loop() {
		if r := handle(b, s, line); r.Err != nil {
			b.Fatal(r.Err)
		}
	}
}
