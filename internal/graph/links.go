package graph

import (
	"cmp"
	"slices"
)

// Targets returns, for each link of the note that stands in a block, in
// order, what the desktop app keeps as its target: the path of the note it
// resolves to, else the page part as written, which is "" for a local link.
func (g *Graph) Targets(id NoteID) []string {
	n := g.slots.get(id).note
	if n == nil {
		return nil
	}
	out := make([]string, 0, len(n.links))
	for _, l := range n.links {
		if l.block == InFrontmatter {
			continue
		}
		switch t := g.targets.get(l.target); {
		case t.found:
			out = append(out, g.slots.get(t.to).note.path.String())
		case t.name != nil:
			out = append(out, t.name.page)
		default:
			out = append(out, "")
		}
	}
	return out
}

// Inbound returns the places that link to the note, each block once, ordered
// by path, then position. The note's own links are left out (decision 6.5).
func (g *Graph) Inbound(id NoteID) []Ref {
	var refs []Ref
	var blocks []int32
	for _, src := range g.byPath(g.linking(id)) {
		blocks = g.blocksThat(src, blocks[:0], func(l link) bool { return g.leadsTo(l, id) })
		for _, b := range blocks {
			refs = append(refs, Ref{src, b})
		}
	}
	return refs
}

// InboundCount returns len(Inbound(id)) without making it.
func (g *Graph) InboundCount(id NoteID) int { return int(g.slots.get(id).uses) }

// blocksThat appends the blocks of src with a wanted link to blocks, which is
// empty, in order, each once.
func (g *Graph) blocksThat(src NoteID, blocks []int32, wanted func(link) bool) []int32 {
	for _, l := range g.slots.get(src).note.links {
		if wanted(l) {
			blocks = append(blocks, l.block)
		}
	}
	slices.Sort(blocks)
	return slices.Compact(blocks)
}

// LinksTo reports whether the block of src links to dst.
func (g *Graph) LinksTo(src NoteID, block int32, dst NoteID) bool {
	n := g.slots.get(src).note
	return n != nil && slices.ContainsFunc(n.links, func(l link) bool {
		return l.block == block && g.leadsTo(l, dst)
	})
}

func (g *Graph) leadsTo(l link, id NoteID) bool {
	t := g.targets.get(l.target)
	return t.found && t.to == id
}

// linking returns the other notes that link to id, ascending.
func (g *Graph) linking(id NoteID) []NoteID {
	var from []NoteID
	for _, tid := range g.slots.get(id).in {
		from = append(from, g.targets.get(tid).sources...)
	}
	slices.Sort(from)
	from = slices.Compact(from)
	if i, ok := slices.BinarySearch(from, id); ok {
		from = slices.Delete(from, i, i+1)
	}
	return from
}

// byPath orders ascending, distinct ids by path, in place where it can.
func (g *Graph) byPath(ids []NoteID) []NoteID {
	if len(ids) > 64 && len(ids) > g.Len()/8 {
		return g.pick(ids)
	}
	all := make([]ordered, len(ids))
	for i, id := range ids {
		all[i] = ordered{g.slots.get(id).note.path, id}
	}
	slices.SortFunc(all, func(a, b ordered) int {
		return cmp.Or(a.path.Compare(b.path), cmp.Compare(a.id, b.id))
	})
	for i, o := range all {
		ids[i] = o.id
	}
	return ids
}

// pick walks all notes for the many wanted ones.
func (g *Graph) pick(ids []NoteID) []NoteID {
	wanted := make(map[NoteID]struct{}, len(ids))
	for _, id := range ids {
		wanted[id] = struct{}{}
	}
	out := make([]NoteID, 0, len(ids))
	for id := range g.All() {
		if _, ok := wanted[id]; ok {
			out = append(out, id)
		}
	}
	return out
}
