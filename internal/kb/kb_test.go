package kb_test

import (
	"strings"
	"testing"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vaulttest"
)

// garden is a small vault that shows each operation something.
const garden = `
-- index.md --
---
title: The Garden
aliases: [home, Startpage]
tags: [map]
---
# Welcome

- See [[soil]] and [[plants/tomato|the tomato]]
- Not yet written: [[compost]]
-- soil.md --
Good soil feeds everything. #earth

The garden begins with a spade.
-- plants/tomato.md --
---
tags:
  - plant
up: "[[index]]"
---
- TODO water it daily #plant/fruit
  .id: 65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f
- needs [[soil]]
-- plants/empty-note.md --
---
title: Nothing here yet
tags: plant
---
`

func open(t *testing.T, dir string) *kb.KB {
	t.Helper()
	k, err := kb.Open(dir, kb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return k
}

func path(t *testing.T, s string) stratum.Path {
	t.Helper()
	p, err := stratum.ParsePath(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantKind(t *testing.T, err error, want stratum.Kind) {
	t.Helper()
	if err == nil || stratum.KindOf(err) != want {
		t.Errorf("error = %v, want %v", err, want)
	}
	if e := stratum.AsError(err); e != nil && e.Hint == "" {
		t.Error("the error has no hint")
	}
}

func TestGetPage(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	d, err := k.GetPage(t.Context(), path(t, "plants/tomato"))
	if err != nil {
		t.Fatal(err)
	}
	if d.Title != "tomato" || d.Slug != "plants/tomato" || d.BlockCount != 2 {
		t.Errorf("got title %q, slug %q, %d blocks", d.Title, d.Slug, d.BlockCount)
	}
	if got := strings.Join(d.Tags, " "); got != "plant plant/fruit" {
		t.Errorf("tags = %q", got)
	}
	if len(d.Links) != 2 || d.Links[0].BlockID != nil || d.Links[1].BlockID == nil {
		t.Fatalf("links = %+v; want one of the frontmatter without a block, one of a block", d.Links)
	}
	if at := d.Links[1].Position; !strings.HasPrefix(string([]rune(d.Content)[at:]), "[[soil]]") {
		t.Errorf("position %d does not point at the link", at)
	}
	_, err = k.GetPage(t.Context(), path(t, "nowhere"))
	wantKind(t, err, stratum.NotFound)
}

func search(t *testing.T, k *kb.KB, query string) []stratum.SearchHit {
	t.Helper()
	r, err := k.Search(t.Context(), query, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var out []stratum.SearchHit
	for h, err := range r.Hits {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	if len(out) != r.Count || r.Total < len(out) {
		t.Errorf("%q: %d hits, count %d, total %d", query, len(out), r.Count, r.Total)
	}
	return out
}

func TestSearch(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	hits := search(t, k, "spade")
	if len(hits) != 1 || hits[0].PagePath != "soil.md" || hits[0].Content != "The garden begins with a spade." || hits[0].BlockID == nil {
		t.Errorf("spade: %+v", hits)
	}
	if hits := search(t, k, "garden"); len(hits) != 2 || hits[0].PagePath != "index.md" {
		t.Errorf("a title outranks the body: %+v", hits)
	}
	if hits := search(t, k, "nothing here"); len(hits) != 1 || hits[0].BlockID != nil || hits[0].Content != "" || hits[0].Snippet != "Nothing here yet" {
		t.Errorf("a note without blocks is found by its title: %+v", hits)
	}
	if hits := search(t, k, "water"); len(hits) != 1 || *hits[0].BlockID != "65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f" {
		t.Errorf("a block keeps the file's id: %+v", hits)
	}
}

func TestBlockIDsAgreeAcrossTools(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	d, err := k.GetPage(t.Context(), path(t, "plants/tomato"))
	if err != nil {
		t.Fatal(err)
	}
	hits := search(t, k, "needs")
	links := backlinks(t, k, "soil", false)
	if len(hits) != 1 || len(links) != 2 {
		t.Fatalf("hits %+v, backlinks %+v", hits, links)
	}
	if want := *d.Links[1].BlockID; *hits[0].BlockID != want || *links[1].SourceID != want {
		t.Errorf("page says %s, search %s, backlinks %s", want, *hits[0].BlockID, *links[1].SourceID)
	}
}

func backlinks(t *testing.T, k *kb.KB, to string, unlinked bool) []stratum.Backlink {
	t.Helper()
	seq, err := k.Backlinks(t.Context(), path(t, to), unlinked)
	if err != nil {
		t.Fatal(err)
	}
	var out []stratum.Backlink
	for b, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func TestBacklinks(t *testing.T) {
	k := open(t, vaulttest.New(t, garden+`
-- mentions.md --
Everybody loves The Garden, and [[soil]].

`+"`The Garden` in code, and [[index|The Garden]] as a link."+`

Start at the starTpage.
`))
	got := backlinks(t, k, "index", true)
	var show []string
	for _, b := range got {
		linked := "mentions"
		if b.IsLinked {
			linked = "links"
		}
		show = append(show, b.SourcePage+" "+linked+": "+b.Context)
	}
	want := strings.Join([]string{
		"mentions.md links: `The Garden` in code, and [[index|The Garden]] as a link.",
		`plants/tomato.md links: up: "[[index]]"`,
		"mentions.md mentions: Everybody loves The Garden, and [[soil]].",
		"mentions.md mentions: Start at the starTpage.",
		"soil.md mentions: The garden begins with a spade.",
	}, "\n")
	if got := strings.Join(show, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, err := k.Backlinks(t.Context(), path(t, "nowhere"), true)
	wantKind(t, err, stratum.NotFound)
}

func TestSearchByTag(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	r, err := k.SearchByTag(t.Context(), "plant", 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for h, err := range r.Hits {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, h.PagePath+": "+h.Snippet)
	}
	want := "plants/empty-note.md: Nothing here yet\nplants/tomato.md: water it daily #plant/fruit\nplants/tomato.md: needs [[soil]]"
	if strings.Join(got, "\n") != want || r.Total != 3 {
		t.Errorf("got %d:\n%s\nwant\n%s", r.Total, strings.Join(got, "\n"), want)
	}
}

func TestListPages(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	vaulttest.Write(t, dir, "a new one.md", "- x\n- y\n")
	var got []string
	after := stratum.Path{}
	for {
		pages, more, err := k.ListPages(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range pages {
			got = append(got, s.Path+"="+s.Title)
			after = path(t, s.Path)
		}
		if !more {
			break
		}
	}
	want := "a new one.md=a new one|index.md=The Garden|plants/empty-note.md=Nothing here yet|plants/tomato.md=tomato|soil.md=soil"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestGraphAndResolve(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	g, err := k.Graph(t.Context(), nil, 2)
	if err != nil || g.NodeCount != 4 || g.EdgeCount != 4 || g.VaultPath != k.Dir() {
		t.Errorf("whole graph: %+v, %v", g, err)
	}
	p := path(t, "plants/empty-note")
	if g, err = k.Graph(t.Context(), &p, 2); err != nil || g.NodeCount != 1 || g.EdgeCount != 0 {
		t.Errorf("a lone note: %+v, %v", g, err)
	}
	gone := path(t, "nowhere")
	_, err = k.Graph(t.Context(), &gone, 1)
	wantKind(t, err, stratum.NotFound)

	for target, want := range map[string]string{"Startpage": "index.md", "tomato#x": "plants/tomato.md", "compost": "", "nothing here yet": "plants/empty-note.md"} {
		ref, err := k.ResolveLink(t.Context(), target)
		got := ""
		if ref != nil {
			got = ref.Path
		}
		if err != nil || got != want {
			t.Errorf("%q resolves to %q, %v; want %q", target, got, err, want)
		}
	}
	for _, target := range []string{"/etc/passwd", "../x", "a/../../b", `C:\x`, `\\host\x`} {
		_, err := k.ResolveLink(t.Context(), target)
		wantKind(t, err, stratum.InvalidArgs)
	}
}

func TestStatusIsMeasured(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	st, err := k.IndexStatus(t.Context())
	if err != nil || !st.IndexFresh || st.IndexedPages != 4 || st.TotalPages != 4 || st.LastIndexedAt == nil {
		t.Fatalf("settled: %+v, %v", st, err)
	}
	vaulttest.Write(t, dir, "outside.md", "written by another program")
	if st, err = k.IndexStatus(t.Context()); err != nil || st.IndexFresh || st.TotalPages != 5 {
		t.Errorf("after an edit outside: %+v, %v", st, err)
	}
	if st, err = k.Reindex(t.Context(), false, nil); err != nil || !st.IndexFresh || st.IndexedPages != 5 {
		t.Errorf("after reindex: %+v, %v", st, err)
	}
	info, err := k.VaultInfo(t.Context())
	if err != nil || info.VaultPath != k.Dir() || info.PageCount != 5 || !info.IndexFresh {
		t.Errorf("vault info: %+v, %v", info, err)
	}
}

func TestALinkResolvesWhenItsTargetAppears(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	if _, err := k.WritePage(t.Context(), path(t, "compost"), "warm", nil); err != nil {
		t.Fatal(err)
	}
	if got := backlinks(t, k, "compost", false); len(got) != 1 || got[0].SourcePage != "index.md" {
		t.Errorf("backlinks of the new note: %+v", got)
	}
}

func TestARestartAnswersTheSame(t *testing.T) {
	dir := vaulttest.New(t, garden)
	ask := func(k *kb.KB) string {
		var b strings.Builder
		for _, q := range []string{"soil", "garden", "plant", "water"} {
			for _, h := range search(t, k, q) {
				id := "none"
				if h.BlockID != nil {
					id = *h.BlockID
				}
				b.WriteString(h.PagePath + id + h.Snippet + "\n")
			}
		}
		return b.String()
	}
	k, err := kb.Open(dir, kb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	first := ask(k)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	vaulttest.Write(t, dir, "later.md", "written while no server ran")
	k = open(t, dir)
	if second := ask(k); second != first {
		t.Errorf("before\n%s\nafter\n%s", first, second)
	}
	if len(search(t, k, "server")) != 1 {
		t.Error("an edit made while no server ran is not found")
	}
	if _, err := k.Reindex(t.Context(), true, nil); err != nil {
		t.Fatal(err)
	}
	if rebuilt := ask(k); rebuilt != first {
		t.Errorf("before\n%s\nrebuilt\n%s", first, rebuilt)
	}
}
