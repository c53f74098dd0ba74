package kb_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vaulttest"
)

// TestBacklinksAgreeWithTheDisk although nobody has told of the change yet.
func TestBacklinksAgreeWithTheDisk(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	vaulttest.Write(t, dir, "plants/tomato.md", "- needs nothing\n")
	got := backlinks(t, k, "soil", false)
	if len(got) != 1 || got[0].SourcePage != "index.md" {
		t.Errorf("backlinks: %+v", got)
	}
	if got := backlinks(t, k, "index", false); len(got) != 0 {
		t.Errorf("backlinks: %+v", got)
	}
}

func TestANoteThatTheIndexHasYetToSee(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	vaulttest.Write(t, dir, "fresh.md", "see [[soil]]")
	p := path(t, "fresh")
	g, err := k.Graph(t.Context(), &p, 1)
	if err != nil || g.NodeCount != 2 {
		t.Errorf("graph: %+v, %v", g, err)
	}
	if err := os.Symlink("soil.md", filepath.Join(dir, "link.md")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	p = path(t, "link")
	if _, err := k.Graph(t.Context(), &p, 1); !stratum.IsKind(err, stratum.NotFound) {
		t.Errorf("a symbolic link is no note of the graph: %v", err)
	}
	if st, err := k.Reindex(t.Context(), false, nil); err != nil || !st.IndexFresh {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestANoteThatGoesWhileItIsAskedFor(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	seq, err := k.Backlinks(t.Context(), path(t, "soil"), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.md", "plants/tomato.md", "plants/empty-note.md"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for b, err := range seq {
		t.Errorf("a backlink from a note that is gone: %+v, %v", b, err)
	}
	if hits := search(t, k, "nothing here"); len(hits) != 0 {
		t.Errorf("a hit in a note that is gone: %+v", hits)
	}
}

func TestAnswersEndWithTheirContext(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	ctx, cancel := context.WithCancel(t.Context())
	links, err := k.Backlinks(ctx, path(t, "soil"), true)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := k.Search(ctx, "soil", 0, 9)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for _, err := range links {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("backlinks: %v", err)
		}
	}
	for _, err := range hits.Hits {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("hits: %v", err)
		}
	}
	_, err = k.WritePage(ctx, path(t, "soil"), "x", nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a write that had not begun: %v", err)
	}
	for range 2 { // whoever stops early gets no more
		links, err = k.Backlinks(t.Context(), path(t, "soil"), true)
		if err != nil {
			t.Fatal(err)
		}
		for range links {
			break
		}
	}
	hits, err = k.Search(t.Context(), "soil", 0, 9)
	if err != nil {
		t.Fatal(err)
	}
	for range hits.Hits {
		break
	}
}

func TestAutocomplete(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	for kind, query := range map[string]string{"page": "tom", "tag": "pla", "backlink": "comp"} {
		got, err := k.Autocomplete(t.Context(), query, kind, 5)
		if err != nil || len(got) == 0 {
			t.Errorf("%s %q: %+v, %v", kind, query, got, err)
		}
	}
	if k.IndexBytes() == 0 {
		t.Error("the index takes no memory")
	}
}

func TestReindexReportsItsProgress(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	for _, rebuild := range []bool{true, false} {
		last, end := -1, 0
		st, err := k.Reindex(t.Context(), rebuild, func(done, total int) {
			if done < last || done > total {
				t.Errorf("rebuild %v: %d of %d after %d", rebuild, done, total, last)
			}
			last, end = done, total
		})
		if err != nil || !st.IndexFresh || rebuild && (last < 500 || end != 1000) {
			t.Errorf("rebuild %v: %+v, %v, last report %d of %d", rebuild, st, err, last, end)
		}
	}
}

func TestATagThatCannotBeAdded(t *testing.T) {
	dir := vaulttest.New(t, garden+"-- broken.md --\n---\ntags: [a\n---\nbody\n")
	k := open(t, dir)
	before := vaulttest.Read(t, dir, "broken.md")
	_, err := k.AddTag(t.Context(), path(t, "broken"), "b")
	wantKind(t, err, stratum.InvalidArgs)
	if e := stratum.AsError(err); e != nil && e.Path != "broken.md" {
		t.Errorf("the error is about %q", e.Path)
	}
	if vaulttest.Read(t, dir, "broken.md") != before {
		t.Error("the note was changed")
	}
}

func TestTheCacheHasABound(t *testing.T) {
	dir := vaulttest.New(t, garden)
	for i := range 6 {
		vaulttest.Write(t, dir, fmt.Sprintf("large%d.md", i), "needle "+strings.Repeat(".", 2<<20))
	}
	vaulttest.Write(t, dir, "larger.md", "needle "+strings.Repeat(".", 6<<20))
	k := open(t, dir)
	if hits := search(t, k, "needle"); len(hits) != 7 {
		t.Errorf("%d hits, want 7", len(hits))
	}
	if n := kb.CacheBytes(k); n == 0 || n > kb.CacheMax {
		t.Errorf("the cache holds %d bytes, want at most %d", n, kb.CacheMax)
	}
}
