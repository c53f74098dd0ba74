package graph

import (
	"testing"
)

func completions(g *Graph, kind, query string, limit int) []string {
	out := []string{}
	for _, c := range g.Complete(kind, query, limit) {
		if c.Kind != kind {
			out = append(out, "kind "+c.Kind)
		}
		out = append(out, c.Text+" = "+c.Detail)
	}
	return out
}

func TestCompletePage(t *testing.T) {
	g := Build(vault(t,
		"plan.md",
		"2.md | Planning",
		"3.md | The plan of it",
		"4.md | Airplane",
		"5.md | Pallid autumn",
		"6.md | Other | Plan",
		"projects/café-notes.md | | | | Planning, other, other",
		"x.md | Plank | | | planning, plank, 4"))
	for _, c := range []struct {
		name, query string
		limit       int
		want        []string
	}{
		{"classes in their order, ties by links then text", "plan", 10, []string{
			"Other = 6.md", "plan = plan.md", "Planning = 2.md", "Plank = x.md", "The plan of it = 3.md", "Airplane = 4.md", "Pallid autumn = 5.md",
		}},
		{"limit", "plan", 3, []string{"Other = 6.md", "plan = plan.md", "Planning = 2.md"}},
		{"no limit, no items", "plan", 0, nil},
		{"case and accents", "CAFE", 10, []string{"café notes = projects/café-notes.md"}},
		{"accents in the query", "càfé", 10, []string{"café notes = projects/café-notes.md"}},
		{"path", "projects/caf", 10, []string{"café notes = projects/café-notes.md"}},
		{"path with .md", "projects/café-notes.md", 10, []string{"café notes = projects/café-notes.md"}},
		{"stem", "café-n", 10, []string{"café notes = projects/café-notes.md"}},
		{"words of a subsequence", "pro not", 10, []string{"café notes = projects/café-notes.md"}},
		{"spaces around", "  airp ", 10, []string{"Airplane = 4.md"}},
		{"the letters in another order", "nalp", 10, nil},
		{"a letter that nothing has", "planz", 10, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, c.query, completions(g, KindPage, c.query, c.limit), c.want)
		})
	}
	if got := g.Complete("unknown", "plan", 5); got == nil || len(got) != 0 {
		t.Errorf("an unknown kind completes to %v", got)
	}
	if got := g.Complete(KindPage, "\u0301", 5); len(got) != 5 || got[0].Text != "Planning" {
		t.Errorf("a query without letters completes to %v", got)
	}
}

func TestCompleteTag(t *testing.T) {
	g := Build(vault(t,
		"1.md | | | project, area/Project", "2.md | | | Project/x", "3.md | | | Project/x, myproject", "4.md | | | p-r-oject, project/a"))
	want := []string{"project = 1", "Project/x = 2", "project/a = 1", "area/Project = 1", "myproject = 1", "p-r-oject = 1"}
	same(t, "tag", completions(g, KindTag, "project", 9), want)
	same(t, "with its mark", completions(g, KindTag, "#PROJECT", 2), want[:2])
	same(t, "the mark alone", completions(g, KindTag, "#", 1), []string{"Project/x = 2"})
}

func TestCompleteBacklink(t *testing.T) {
	notes := vault(t, "a.md | Alpha", "b.md | Alphabet", "sub/c.md", "d.md", "unlinked.md")
	notes[1].Links = []Link{{"alpha", "", 0}, {"a", "", 0}, {"alphabet", "", 0}}
	notes[1].Blocks = 2
	notes[2].Links = []Link{{"Alpine", "", 0}, {"alpine", "", 0}, {"./new", "", 0}, {"../../alp", "", 0}}
	notes[3].Links = []Link{{"alpine#x", "", 0}, {"alpha", "", InFrontmatter}, {"#alp", "", 0}}
	g := Build(notes)
	same(t, "alp", completions(g, KindBacklink, "alp", 9), []string{
		"Alpha = a.md", "alpine = not yet written (2 links)", "Alphabet = b.md",
	})
	same(t, "new", completions(g, KindBacklink, "new", 9), []string{"sub/new = not yet written (1 link)"})
	g, _ = g.With([]Note{{ID: 9, Path: mustPath(t, "x/Alpine")}}, nil)
	same(t, "written now", completions(g, KindBacklink, "alpine", 9), []string{"Alpine = x/Alpine.md"})
}
