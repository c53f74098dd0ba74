package graph

import "testing"

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
