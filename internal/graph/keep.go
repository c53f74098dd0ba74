package graph

import (
	"slices"
	"strings"
)

// keep returns n in the graph's own form and memory. It makes the targets
// that n is the first to link to.
func (w *writer) keep(n *Note) *note {
	out := &note{path: n.Path, title: strings.Clone(n.Title), blocks: n.Blocks}
	if len(n.Aliases) > 0 {
		out.aliases = make([]string, len(n.Aliases))
		for i, a := range n.Aliases {
			out.aliases[i] = strings.Clone(a)
		}
	}
	if len(n.Tags) > 0 {
		out.tags = make([]string, len(n.Tags))
		for i, t := range n.Tags {
			out.tags[i] = *w.text(t)
		}
	}
	out.tagAt = slices.DeleteFunc(slices.Clone(n.TagAt), func(t TagAt) bool {
		return t.Tag < 0 || int(t.Tag) >= len(n.Tags)
	})
	if len(n.Links) == 0 {
		return out
	}
	dir := n.Path.Dir()
	out.links = make([]link, len(n.Links))
	for i, l := range n.Links {
		out.links[i] = link{target: w.targetOf(pageOf(l.Target), dir), block: l.Block}
		if l.Display != "" {
			out.links[i].shown = w.text(l.Display)
		}
	}
	return out
}

// targetOf returns the id of the target that page is in a note of folder dir.
func (w *writer) targetOf(page, dir string) uint32 {
	if page == "" {
		return 0
	}
	if tid, ok := w.known[page]; ok {
		return tid
	}
	q := queryOf(page, dir)
	if !q.relative {
		dir = ""
	}
	places := q.places(page, dir)
	tid, t := w.g.target(page, dir, places[0])
	if t.name == nil {
		t.name = &targetName{page: strings.Clone(page), dir: strings.Clone(dir)}
		tid = w.newTarget()
		w.g.targets.own(w.e, tid).name = t.name
		for _, key := range places {
			w.g.wants.add(w.e, key, tid)
		}
		w.fresh = append(w.fresh, tid)
	}
	if !q.relative {
		w.known[t.name.page] = tid
	}
	return tid
}

func (w *writer) newTarget() uint32 {
	if f := w.g.free; f != nil {
		w.g.free = f.next
		return f.id
	}
	w.g.limit++
	return w.g.limit - 1
}

// dropTarget forgets a target that nobody links to any more.
func (w *writer) dropTarget(tid uint32) {
	t := w.g.targets.own(w.e, tid)
	if t.found {
		w.in.del = append(w.in.del, pair(t.to, tid))
	}
	q := queryOf(t.name.page, t.name.dir)
	for _, key := range q.places(t.name.page, t.name.dir) {
		w.g.wants.remove(w.e, key, tid)
	}
	*t = target{}
	w.g.free = &freed{tid, w.g.free}
}
