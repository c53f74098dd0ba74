package graph

import (
	"iter"
	"math"
	"slices"
)

// deltas are changes of ascending lists of ids: pairs of a list's own id and
// the id to add or delete.
type deltas struct{ add, del []uint64 }

// pair packs two numbers so that pairs are ordered by the first, then the
// second.
func pair(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// byList yields the changes of each list, by the list's id.
func (d *deltas) byList() iter.Seq2[uint32, delta] {
	slices.Sort(d.add)
	slices.Sort(d.del)
	return func(yield func(uint32, delta) bool) {
		add, del := d.add, d.del
		var one delta
		for len(add) > 0 || len(del) > 0 {
			list := uint32(math.MaxUint32)
			if len(add) > 0 {
				list = uint32(add[0] >> 32)
			}
			if len(del) > 0 {
				list = min(list, uint32(del[0]>>32))
			}
			one.add, add = cut(list, one.add[:0], add)
			one.del, del = cut(list, one.del[:0], del)
			if !yield(list, one) {
				return
			}
		}
	}
}

// cut moves the ids of the list from the front of pairs to ids.
func cut(list uint32, ids []uint32, pairs []uint64) ([]uint32, []uint64) {
	for len(pairs) > 0 && uint32(pairs[0]>>32) == list {
		ids, pairs = append(ids, uint32(pairs[0])), pairs[1:]
	}
	return ids, pairs
}

// delta is the change of one list.
type delta struct{ add, del []uint32 }

// merge returns old, an ascending list that stays as it is, without what was
// deleted and with what was added.
func (d *delta) merge(old []uint32) []uint32 {
	slices.Sort(d.add)
	slices.Sort(d.del)
	add, del := slices.Compact(d.add), d.del
	out := make([]uint32, 0, max(0, len(old)+len(add)-len(del)))
	for _, id := range old {
		for len(del) > 0 && del[0] < id {
			del = del[1:]
		}
		if len(del) > 0 && del[0] == id {
			continue
		}
		for len(add) > 0 && add[0] < id {
			out, add = append(out, add[0]), add[1:]
		}
		if len(add) > 0 && add[0] == id {
			add = add[1:]
		}
		out = append(out, id)
	}
	return append(out, add...)
}

// settleSources brings the sources of targets up to date and drops targets
// without any.
func (w *writer) settleSources() {
	for tid, d := range w.sources.byList() {
		t := w.g.targets.own(w.e, tid)
		t.sources = d.merge(t.sources)
		if len(t.sources) == 0 {
			w.dropTarget(tid)
		}
	}
}

// settleTargets resolves new targets, and again the targets that a changed
// name could concern.
func (w *writer) settleTargets() {
	isFresh := make(map[uint32]bool, len(w.fresh))
	for _, tid := range w.fresh {
		isFresh[tid] = true
		t := w.g.targets.own(w.e, tid)
		q := queryOf(t.name.page, t.name.dir)
		if t.to, t.found = w.g.best(&q); t.found {
			w.in.add = append(w.in.add, pair(t.to, tid))
		}
	}
	concerned := map[uint32][]NoteID{}
	for _, r := range w.renamed {
		for _, key := range r.keys {
			for _, x := range w.g.wants.bucket(key) {
				if x.hash == key && !isFresh[x.id] {
					concerned[x.id] = append(concerned[x.id], r.id)
				}
			}
		}
	}
	for tid, by := range concerned {
		w.resolveAgain(tid, by)
	}
}

// resolveAgain resolves a target after the names of some notes changed. Where
// the note it had is not one of them, only they compete with it.
func (w *writer) resolveAgain(tid uint32, by []NoteID) {
	t := w.g.targets.get(tid)
	q := queryOf(t.name.page, t.name.dir)
	was, path := t.to, ""
	if t.found {
		path = w.old.slots.get(was).note.path.String()
	}
	var to NoteID
	found := t.found
	if found && w.changed[was] {
		to, found = w.g.best(&q)
	} else {
		var at candidate
		if found {
			at = w.g.candidate(&q, was)
		}
		for _, id := range by {
			if c := w.g.candidate(&q, id); c.better(&at) {
				at = c
			}
		}
		to, found = at.id, at.rule != 0
	}
	if found != t.found || found && to != was {
		w.turned = append(w.turned, tid)
		own := w.g.targets.own(w.e, tid)
		own.to, own.found = to, found
		if t.found {
			w.in.del = append(w.in.del, pair(was, tid))
		}
		if found {
			w.in.add = append(w.in.add, pair(to, tid))
		}
	}
	now := ""
	if found {
		now = w.g.slots.get(to).note.path.String()
	}
	if now != path {
		w.moved = append(w.moved, tid)
	}
}

// settleInbound brings the notes' lists of targets up to date.
func (w *writer) settleInbound() {
	for id, d := range w.in.byList() {
		s := w.g.slots.own(w.e, id)
		s.in = d.merge(s.in)
	}
}

// settleUses counts again what changed notes, and notes whose targets turned
// to another note, add to the uses of others.
func (w *writer) settleUses() {
	net := map[NoteID]int32{}
	var buf []uint64
	count := func(src NoteID) {
		buf = w.old.destinations(src, buf[:0])
		for _, p := range buf {
			net[uint32(p>>32)]--
		}
		buf = w.g.destinations(src, buf[:0])
		for _, p := range buf {
			net[uint32(p>>32)]++
		}
	}
	for id := range w.changed {
		count(id)
	}
	for _, id := range w.unchangedSources(w.turned) {
		count(id)
	}
	for id, n := range net {
		if n != 0 {
			w.g.slots.own(w.e, id).uses += n
		}
	}
}

// destinations appends the pairs of another note that src links to and a
// block of src that does, each once, to buf, which is empty.
func (g *Graph) destinations(src NoteID, buf []uint64) []uint64 {
	n := g.slots.get(src).note
	if n == nil {
		return buf
	}
	for _, l := range n.links {
		if t := g.targets.get(l.target); t.found && t.to != src {
			buf = append(buf, pair(t.to, uint32(l.block)))
		}
	}
	slices.Sort(buf)
	return slices.Compact(buf)
}

// unchangedSources returns the unchanged notes that link to the targets.
func (w *writer) unchangedSources(targets []uint32) []NoteID {
	var ids []NoteID
	for _, tid := range targets {
		for _, id := range w.g.targets.get(tid).sources {
			if _, own := w.changed[id]; !own {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
