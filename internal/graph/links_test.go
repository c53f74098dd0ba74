package graph

import (
	"testing"

	"stratum"
)

func TestNoteOf(t *testing.T) {
	n := NoteOf(7, mustPath(t, "a"), &stratum.Note{
		Title: "A", Aliases: []string{"b"},
		FrontmatterTags: []string{"One"}, Tags: []string{"One", "two"},
		Blocks: []stratum.Block{{Tags: []string{"two", "ONE"}}, {Tags: []string{"three"}}},
		Links: []stratum.Link{
			{Target: "x#h", Display: "shown", Block: -1}, {Target: "#local", Block: 1}, {Target: "y ^b", Block: 1},
		},
	})
	same(t, "Tags", n.Tags, []string{"One", "two", "three"})
	same(t, "TagAt", n.TagAt, []TagAt{{0, InFrontmatter}, {1, 0}, {0, 0}, {2, 1}})
	same(t, "Links", n.Links, []Link{{"x", "shown", InFrontmatter}, {"", "", 1}, {"y", "", 1}})
	if n.ID != 7 || n.Title != "A" || n.Blocks != 2 || n.Path.String() != "a.md" {
		t.Errorf("got %+v", n)
	}
}

// linked is a small vault with links of every kind.
func linked(t testing.TB) *Graph {
	t.Helper()
	notes := vault(t, "hub.md | Hub", "b.md", "a/c.md", "d.md", "empty.md")
	notes[0].Blocks, notes[0].Links = 2, []Link{{"b", "", 0}, {"hub", "me", 1}}
	notes[1].Blocks, notes[1].Links = 3, []Link{
		{"Hub", "up", InFrontmatter}, {"hub", "", 1}, {"./hub", "", 1}, {"HUB", "shown", 2}, {"hub", "shown", 2}, {"", "", 2},
	}
	notes[2].Blocks, notes[2].Links = 1, []Link{{"../hub", "", 0}, {"missing", "", 0}, {"../../out", "", 0}}
	return Build(notes)
}

func TestInbound(t *testing.T) {
	g := linked(t)
	same(t, "hub", g.refs(g.Inbound(0)), []string{"a/c.md 0", "b.md -1", "b.md 1", "b.md 2"})
	same(t, "b", g.refs(g.Inbound(1)), []string{"hub.md 0"})
	same(t, "d", g.refs(g.Inbound(3)), []string{})
	same(t, "no such note", g.refs(g.Inbound(77)), []string{})
	for id := range NoteID(6) {
		if got, want := g.InboundCount(id), len(g.Inbound(id)); got != want {
			t.Errorf("InboundCount(%d) = %d, want %d", id, got, want)
		}
	}
}

func TestLinksTo(t *testing.T) {
	g := linked(t)
	for _, c := range []struct {
		src   NoteID
		block int32
		dst   NoteID
		want  bool
	}{
		{1, 1, 0, true},
		{1, 2, 0, true},
		{1, 0, 0, false},
		{1, InFrontmatter, 0, true},
		{0, 1, 0, true},
		{0, 0, 1, true},
		{0, 1, 1, false},
		{2, 0, 3, false},
		{66, 0, 0, false},
	} {
		if got := g.LinksTo(c.src, c.block, c.dst); got != c.want {
			t.Errorf("LinksTo(%d, %d, %d) = %v", c.src, c.block, c.dst, got)
		}
	}
}

func TestTargets(t *testing.T) {
	g := linked(t)
	same(t, "b", g.Targets(1), []string{"hub.md", "hub.md", "hub.md", "hub.md", ""})
	same(t, "c", g.Targets(2), []string{"hub.md", "missing", "../../out"})
	same(t, "no such note", g.Targets(77), nil)
}

func TestPages(t *testing.T) {
	g := Build(vault(t, "b.md", "a.md", "a/b.md", "B.md", "a b.md", "é.md"))
	all := []string{"B.md", "a b.md", "a.md", "a/b.md", "b.md", "é.md"}
	var got []NoteID
	for id := range g.All() {
		got = append(got, id)
	}
	same(t, "All", g.paths(got), all)
	for from := range all {
		for limit := range 8 {
			var after stratum.Path
			if from > 0 {
				after = mustPath(t, all[from-1])
			}
			ids, more := g.After(after, limit)
			end := min(from+limit, len(all))
			same(t, "After", g.paths(ids), all[from:end])
			if more != (end < len(all)) {
				t.Errorf("After(%v, %d): more = %v", after, limit, more)
			}
		}
	}
	ids, _ := g.After(mustPath(t, "a/a"), 1)
	same(t, "After a path that is not there", g.paths(ids), []string{"a/b.md"})
	if id, ok := g.Lookup(mustPath(t, "a/b")); !ok || id != 2 {
		t.Errorf("Lookup = %d, %v", id, ok)
	}
	for _, p := range []string{"A/b", "zz", "a/c"} {
		if _, ok := g.Lookup(mustPath(t, p)); ok {
			t.Errorf("Lookup(%q) found something", p)
		}
	}
	if g.Len() != 6 || g.Blocks() != 6 {
		t.Errorf("Len %d, Blocks %d", g.Len(), g.Blocks())
	}
}

func TestView(t *testing.T) {
	g := Build(vault(t, "x/my-note.md |  | ab, Résumé, resume, My Note | t", "y.md | 日本語 | 日本"))
	v, ok := g.Note(0)
	if !ok || v.Title() != "my note" || v.ID() != 0 || v.Blocks() != 1 {
		t.Errorf("got %q %d %d", v.Title(), v.ID(), v.Blocks())
	}
	same(t, "Names", v.Names(), []string{"my note", "my-note", "Résumé"})
	same(t, "Aliases", v.Aliases(), []string{"ab", "Résumé", "resume", "My Note"})
	same(t, "Tags", v.Tags(), []string{"t"})
	v, _ = g.Note(1)
	same(t, "Names", v.Names(), []string{"日本語"})
	if v.Tags() == nil {
		t.Error("Tags is nil")
	}
	if _, ok := g.Note(2); ok {
		t.Error("found a note that is not there")
	}
}

func TestEmpty(t *testing.T) {
	g := Build(nil)
	if _, ok := g.Resolve(stratum.Path{}, "a"); ok {
		t.Error("resolved")
	}
	if _, ok := g.Lookup(mustPath(t, "a")); ok {
		t.Error("found")
	}
	d := g.Whole()
	if g.Len() != 0 || d.Nodes == nil || d.Edges == nil || len(g.TagHits("a")) != 0 || len(g.Complete(KindPage, "a", 5)) != 0 {
		t.Error("an empty graph is not empty")
	}
	g, _ = g.With(vault(t, "a.md"), []NoteID{5})
	g, _ = g.With(nil, []NoteID{0})
	if g.Len() != 0 || g.Blocks() != 0 {
		t.Error("not empty again")
	}
}
