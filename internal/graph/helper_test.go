package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stratum"
)

func mustPath(t testing.TB, s string) stratum.Path {
	t.Helper()
	p, err := stratum.ParsePath(s)
	if err != nil {
		t.Fatalf("ParsePath(%q): %v", s, err)
	}
	return p
}

// vault makes notes with ids 0, 1, 2 … out of lines "path | title | alias,
// alias | tag, tag | target, target"; parts may be missing. All links stand in
// block 0 of one, all tags in the frontmatter.
func vault(t testing.TB, lines ...string) []Note {
	t.Helper()
	var notes []Note
	for i, line := range lines {
		parts := append(strings.Split(line, "|"), "", "", "", "")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		n := Note{ID: NoteID(i), Path: mustPath(t, parts[0]), Title: parts[1], Blocks: 1}
		n.Aliases = list(parts[2])
		n.Tags = list(parts[3])
		for i := range n.Tags {
			n.TagAt = append(n.TagAt, TagAt{int32(i), InFrontmatter})
		}
		for _, target := range list(parts[4]) {
			n.Links = append(n.Links, Link{Target: target})
		}
		notes = append(notes, n)
	}
	return notes
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ", ")
}

// path returns the path of what found, ok says; "" for nothing.
func (g *Graph) path(found NoteID, ok bool) string {
	if !ok {
		return ""
	}
	v, _ := g.Note(found)
	return v.Path().String()
}

func (g *Graph) paths(ids []NoteID) []string {
	out := []string{}
	for _, id := range ids {
		out = append(out, g.path(id, true))
	}
	return out
}

func (g *Graph) refs(refs []Ref) []string {
	out := []string{}
	for _, r := range refs {
		out = append(out, fmt.Sprintf("%s %d", g.path(r.Note, true), r.Block))
	}
	return out
}

func edges(d stratum.GraphData) []string {
	out := []string{}
	for _, e := range d.Edges {
		label := ""
		if e.Label != nil {
			label = " " + *e.Label
		}
		out = append(out, e.Source+" > "+e.Target+label)
	}
	return out
}

func nodes(d stratum.GraphData) []string {
	out := []string{}
	for _, n := range d.Nodes {
		out = append(out, fmt.Sprintf("%s %d", n.ID, n.Degree))
	}
	return out
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}
