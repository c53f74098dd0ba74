package graph

import (
	"slices"
	"testing"

	"stratum"
)

func TestWhole(t *testing.T) {
	d := linked(t).Whole()
	same(t, "nodes", nodes(d), []string{"a/c 1", "b 4", "d 0", "empty 0", "hub 6"})
	same(t, "edges", edges(d), []string{
		"a/c > hub", "b > hub", "b > hub shown", "b > hub up", "hub > b", "hub > hub me",
	})
	if d.NodeCount != 5 || d.EdgeCount != 6 {
		t.Errorf("counts %d, %d", d.NodeCount, d.EdgeCount)
	}
	if n := d.Nodes[4]; n.Title != "Hub" || n.Path != "hub.md" || n.Tags == nil {
		t.Errorf("node %+v", n)
	}
}

func TestNeighbourhood(t *testing.T) {
	// a > b > c > d, e > c, f alone, and a back link from d to b.
	g := Build(vault(t,
		"a.md | | | | b", "b.md | | | | c", "c.md | | | | d", "d.md | | | | b", "e.md | | | | c", "f.md"))
	for _, c := range []struct {
		id    NoteID
		depth int
		nodes []string
		edges []string
	}{
		{0, 1, []string{"a 1", "b 1"}, []string{"a > b"}},
		{0, 2, []string{"a 1", "b 3", "c 2", "d 2"}, []string{"a > b", "b > c", "c > d", "d > b"}},
		{0, 5, []string{"a 1", "b 3", "c 3", "d 2", "e 1"}, []string{"a > b", "b > c", "c > d", "d > b", "e > c"}},
		{4, 1, []string{"c 1", "e 1"}, []string{"e > c"}},
		{5, 5, []string{"f 0"}, nil},
		{9, 2, nil, nil},
	} {
		d := g.Neighbourhood(c.id, c.depth)
		same(t, "nodes", nodes(d), c.nodes)
		same(t, "edges", edges(d), c.edges)
		if d.Nodes == nil || d.Edges == nil || d.NodeCount != len(c.nodes) || d.EdgeCount != len(c.edges) {
			t.Errorf("Neighbourhood(%d, %d): counts %d, %d", c.id, c.depth, d.NodeCount, d.EdgeCount)
		}
	}
}

func TestTruncate(t *testing.T) {
	d := linked(t).Whole()
	one := func(*stratum.GraphNode) int { return 1 }
	free := func(*stratum.GraphEdge) int { return 0 }
	edgeOne := func(*stratum.GraphEdge) int { return 1 }
	for _, c := range []struct {
		name   string
		keep   string
		budget int
		edge   func(*stratum.GraphEdge) int
		nodes  []string
		edges  []string
	}{
		{"high degree first", "", 2, free, []string{"b 4", "hub 5"}, []string{"b > hub", "b > hub shown", "b > hub up", "hub > b", "hub > hub me"}},
		{"ties by path", "", 4, free, []string{"a/c 1", "b 4", "d 0", "hub 6"}, []string{"a/c > hub", "b > hub", "b > hub shown", "b > hub up", "hub > b", "hub > hub me"}},
		{"the asked node stays", "d", 2, free, []string{"d 0", "hub 1"}, []string{"hub > hub me"}},
		{"a node fits only with its edges", "", 6, edgeOne, []string{"hub 1"}, []string{"hub > hub me"}},
		{"exactly enough", "", 7, edgeOne, []string{"b 4", "hub 5"}, []string{"b > hub", "b > hub shown", "b > hub up", "hub > b", "hub > hub me"}},
		{"the first node stays", "", 1, edgeOne, []string{"hub 0"}, nil},
		{"the first node stays beyond the budget", "", 0, free, []string{"hub 0"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Truncate(d, c.keep, c.budget, one, c.edge)
			same(t, "nodes", nodes(got), c.nodes)
			same(t, "edges", edges(got), c.edges)
			if !got.Truncated || got.NodeCount != 5 || got.EdgeCount != 6 {
				t.Errorf("truncated %v, counts %d, %d", got.Truncated, got.NodeCount, got.EdgeCount)
			}
		})
	}
	if got := Truncate(d, "", 11, one, edgeOne); got.Truncated || !slices.Equal(got.Edges, d.Edges) {
		t.Error("what fits was cut")
	}
	if got := Truncate(stratum.GraphData{}, "", 0, one, free); got.Truncated {
		t.Error("nothing was cut")
	}
}
