package graph

import (
	"cmp"
	"slices"

	"stratum"
)

// Whole returns every note and every resolved link (decision 6.6). Nodes are
// ordered by path; edges by source path, target path and label, no label
// first. A note that links to itself has an edge to itself, which counts once
// in its degree. VaultPath is left empty; tags and labels are shared and must
// not be changed.
func (g *Graph) Whole() stratum.GraphData {
	ids := make([]NoteID, 0, g.Len())
	for id := range g.All() {
		ids = append(ids, id)
	}
	return g.subgraph(ids)
}

// Neighbourhood returns the notes within depth links of the note, followed
// both ways, and all edges among them, as Whole orders them. It is empty when
// there is no such note.
func (g *Graph) Neighbourhood(id NoteID, depth int) stratum.GraphData {
	if g.slots.get(id).note == nil {
		return g.subgraph(nil)
	}
	seen := map[NoteID]struct{}{id: {}}
	reached := []NoteID{id}
	reach := func(id NoteID) {
		if _, ok := seen[id]; !ok {
			seen[id] = struct{}{}
			reached = append(reached, id)
		}
	}
	for from := 0; depth > 0 && from < len(reached); depth-- {
		ring := reached[from:]
		from = len(reached)
		for _, at := range ring {
			s := g.slots.get(at)
			for _, l := range s.note.links {
				if t := g.targets.get(l.target); t.found {
					reach(t.to)
				}
			}
			for _, tid := range s.in {
				for _, src := range g.targets.get(tid).sources {
					reach(src)
				}
			}
		}
	}
	slices.Sort(reached)
	return g.subgraph(g.byPath(reached))
}

// subgraph returns the notes, which are ordered by path, and the edges among
// them.
func (g *Graph) subgraph(ids []NoteID) stratum.GraphData {
	d := stratum.GraphData{Nodes: make([]stratum.GraphNode, len(ids)), Edges: []stratum.GraphEdge{}}
	at := make(map[NoteID]int, len(ids))
	links := 0
	for i, id := range ids {
		v, _ := g.Note(id)
		at[id] = i
		links += len(v.note.links)
		d.Nodes[i] = stratum.GraphNode{
			ID: v.Path().Slug(), Title: v.Title(), Path: v.Path().String(), Tags: v.Tags(),
		}
	}
	d.Edges = make([]stratum.GraphEdge, 0, links)
	var out []arrow
	for i, id := range ids {
		out = out[:0]
		for _, l := range g.slots.get(id).note.links {
			if t := g.targets.get(l.target); t.found {
				if to, ok := at[t.to]; ok {
					out = append(out, arrow{to, l.shown})
				}
			}
		}
		slices.SortFunc(out, arrow.compare)
		for _, a := range slices.CompactFunc(out, func(a, b arrow) bool { return a.compare(b) == 0 }) {
			d.Edges = append(d.Edges, stratum.GraphEdge{
				Source: d.Nodes[i].ID, Target: d.Nodes[a.to].ID, Label: a.label,
			})
			d.Nodes[i].Degree++
			if a.to != i {
				d.Nodes[a.to].Degree++
			}
		}
	}
	d.NodeCount, d.EdgeCount = len(d.Nodes), len(d.Edges)
	return d
}

// arrow is an edge of the note at hand: the node it leads to and its label.
type arrow struct {
	to    int
	label *string
}

func (a arrow) compare(b arrow) int {
	if c := cmp.Compare(a.to, b.to); c != 0 || a.label == b.label {
		return c
	}
	switch {
	case a.label == nil:
		return -1
	case b.label == nil:
		return 1
	}
	return cmp.Compare(*a.label, *b.label)
}
