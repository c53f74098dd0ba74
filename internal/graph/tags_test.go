package graph

import (
	"fmt"
	"testing"
)

func TestTagHits(t *testing.T) {
	notes := vault(t, "b.md", "a.md", "empty.md", "c.md", "d.md")
	notes[0].Blocks, notes[0].Tags = 4, []string{"a", "ab", "A/x"}
	notes[0].TagAt = []TagAt{{0, 2}, {1, 0}, {2, 1}, {2, 2}}
	notes[1].Blocks, notes[1].Tags, notes[1].TagAt = 2, []string{"A/y/z", "other"}, []TagAt{{0, InFrontmatter}, {1, 1}}
	notes[2].Blocks, notes[2].Tags, notes[2].TagAt = 0, []string{"É"}, []TagAt{{0, InFrontmatter}}
	notes[3].Blocks, notes[3].Tags, notes[3].TagAt = 1, []string{"e\u0301"}, []TagAt{{0, 0}}
	notes[4].Blocks, notes[4].Tags, notes[4].TagAt = 1, []string{"a-b", "a0"}, []TagAt{{0, 0}, {1, 0}, {9, 0}}
	g := Build(notes)
	for _, c := range []struct {
		tag  string
		want []string
	}{
		{"a", []string{"a.md 0", "a.md 1", "b.md 1", "b.md 2"}},
		{"A", []string{"a.md 0", "a.md 1", "b.md 1", "b.md 2"}},
		{"a/x", []string{"b.md 1", "b.md 2"}},
		{"a/y", []string{"a.md 0", "a.md 1"}},
		{"AB", []string{"b.md 0"}},
		{"other", []string{"a.md 1"}},
		{"é", []string{"c.md 0", "empty.md -1"}},
		{"e", nil},
		{"a/", nil},
		{"", nil},
	} {
		same(t, c.tag, g.refs(g.TagHits(c.tag)), c.want)
	}
}

func TestTags(t *testing.T) {
	g := Build(vault(t,
		"1.md | | | go, Zebra", "2.md | | | Go", "3.md | | | Go, zebra", "4.md | | | GO, Go", "5.md | | | go"))
	same(t, "Tags", g.Tags(), []TagCount{{"Go", 5}, {"Zebra", 2}})
	g, _ = g.With(nil, []NoteID{1, 2})
	same(t, "Tags after two notes went", g.Tags(), []TagCount{{"go", 3}, {"Zebra", 1}})
	g, _ = g.With(vault(t, "1.md"), nil)
	same(t, "Tags after a note lost its", g.Tags(), []TagCount{{"GO", 2}})
}

func TestManyTags(t *testing.T) {
	var lines []string
	for i := range 1500 {
		lines = append(lines, fmt.Sprintf("n%d.md | | | all, t/%d, u%d", i, i%700, i))
	}
	g := Build(vault(t, lines...))
	if got := len(g.Tags()); got != 1+700+1500 {
		t.Errorf("%d tags", got)
	}
	for tag, want := range map[string]int{"all": 1500, "t": 1500, "t/5": 3, "t/600": 2, "u": 0, "u7": 1} {
		if got := len(g.TagHits(tag)); got != want {
			t.Errorf("TagHits(%q): %d, want %d", tag, got, want)
		}
	}
}
