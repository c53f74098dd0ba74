package graph

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Build returns the graph of notes. Of several with one id the last counts.
func Build(notes []Note) *Graph {
	empty := &Graph{names: newMultimap(2 * len(notes)), wants: newMultimap(2 * len(notes)), limit: 1}
	g, _ := empty.With(notes, nil)
	return g
}

// With returns the graph in which changed notes stand instead of those of the
// same id, or beside the others, and removed ones are gone; an id in both
// stays. Relinked are the other notes, ascending, at least one of whose links
// now resolves to another path or to none, or to one where it did to none.
// The time taken follows what changes: a note's own links, names and tags, and
// the targets that its old and new names could match.
func (g *Graph) With(changed []Note, removed []NoteID) (next *Graph, relinked []NoteID) {
	changes := make(map[NoteID]*Note, len(changed)+len(removed))
	for _, id := range removed {
		changes[id] = nil
	}
	for i := range changed {
		changes[changed[i].ID] = &changed[i]
	}
	w := newWriter(g, len(changes))
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		w.put(id, changes[id])
	}
	w.sortOrder()
	w.sortTags()
	w.settleSources()
	w.settleTargets()
	w.settleInbound()
	w.settleUses()
	return w.g, w.unchangedSources(w.moved)
}

// writer makes one graph out of another.
type writer struct {
	old *Graph
	g   *Graph // the one being made
	e   *edit  // owner of the pages that g alone has

	texts map[string]*string // one copy of each shown text and tag
	known map[string]uint32  // targets met so far, by page; not relative ones

	changed map[NoteID]bool      // true: its path, title or aliases changed
	renamed []renamed            // notes whose names changed
	gone    []ordered            // paths that notes left
	come    []ordered            // paths that notes took
	sources deltas               // of target.sources, by target id
	fresh   []uint32             // new targets
	in      deltas               // of slot.in, by NoteID
	tags    map[string]*tagDelta // by key
	turned  []uint32             // old targets that resolve to another id
	moved   []uint32             // old targets that resolve to another path
}

type renamed struct {
	id   NoteID
	keys []uint32 // loose keys of the names before and after
}

func newWriter(g *Graph, changes int) *writer {
	next := *g
	next.slots, next.targets = g.slots.fork(), g.targets.fork()
	next.names, next.wants = g.names.fork(), g.wants.fork()
	return &writer{
		old: g, g: &next, e: &edit{},
		texts: map[string]*string{}, known: make(map[string]uint32, changes),
		changed: make(map[NoteID]bool, changes),
		tags:    map[string]*tagDelta{},
	}
}

// put makes n the note of id, or takes the note of id out when n is nil.
// Everything but the slot is only noted down or independent of other notes.
func (w *writer) put(id NoteID, n *Note) {
	before := w.g.slots.get(id).note
	var after *note
	if n != nil {
		after = w.keep(n)
	}
	if before == nil && after == nil {
		return
	}
	w.changed[id] = before == nil || after == nil || !before.sameNames(after)
	if w.changed[id] {
		w.rename(id, before, after)
	}
	w.relink(id, before, after)
	w.retag(id, before, after)
	if before != nil {
		w.g.blocks -= before.blocks
	}
	if after != nil {
		w.g.blocks += after.blocks
	}
	w.g.slots.own(w.e, id).note = after
}

func (w *writer) rename(id NoteID, before, after *note) {
	var was, is []uint32
	if before != nil {
		was = before.keys()
		w.gone = append(w.gone, ordered{before.path, id})
	}
	if after != nil {
		is = after.keys()
		w.come = append(w.come, ordered{after.path, id})
	}
	for _, key := range was {
		if _, ok := slices.BinarySearch(is, key); !ok {
			w.g.names.remove(w.e, key, id)
		}
	}
	for _, key := range is {
		if _, ok := slices.BinarySearch(was, key); !ok {
			w.g.names.add(w.e, key, id)
		}
	}
	w.renamed = append(w.renamed, renamed{id, union(was, is)})
}

// relink notes which targets' sources the note joins and leaves.
func (w *writer) relink(id NoteID, before, after *note) {
	was, is := before.targets(), after.targets()
	for _, tid := range was {
		if _, ok := slices.BinarySearch(is, tid); !ok {
			w.sources.del = append(w.sources.del, pair(tid, id))
		}
	}
	for _, tid := range is {
		if _, ok := slices.BinarySearch(was, tid); !ok {
			w.sources.add = append(w.sources.add, pair(tid, id))
		}
	}
}

// targets returns the ids of the targets that n links to, ascending.
func (n *note) targets() []uint32 {
	if n == nil {
		return nil
	}
	ids := make([]uint32, 0, len(n.links))
	for _, l := range n.links {
		if l.target != 0 {
			ids = append(ids, l.target)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// sortOrder brings the order of paths up to date.
func (w *writer) sortOrder() {
	order := &w.g.order
	if len(w.gone)+len(w.come) <= 16+order.n/64 {
		for _, o := range w.gone {
			order.remove(func(x ordered) bool { return x.before(o.path, o.id) })
		}
		for _, o := range w.come {
			order.insert(o, func(x ordered) bool { return x.before(o.path, o.id) })
		}
		return
	}
	gone := make(map[ordered]bool, len(w.gone))
	for _, o := range w.gone {
		gone[o] = true
	}
	all := make([]ordered, 0, order.n+len(w.come))
	for o := range order.all() {
		if !gone[o] {
			all = append(all, o)
		}
	}
	all = append(all, w.come...)
	slices.SortFunc(all, func(a, b ordered) int {
		return cmp.Or(a.path.Compare(b.path), cmp.Compare(a.id, b.id))
	})
	*order = sortedOf(all)
}

// union returns what is in a or b, both ascending.
func union(a, b []uint32) []uint32 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// text returns the one copy of s, which does not share memory with the
// caller's: that may be a whole note's text.
func (w *writer) text(s string) *string {
	if p, ok := w.texts[s]; ok {
		return p
	}
	own := strings.Clone(s)
	w.texts[own] = &own
	return &own
}
