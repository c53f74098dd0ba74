package graph

import "unsafe"

// Bytes estimates the heap that the graph holds on to, shared pages included.
// It visits every note.
func (g *Graph) Bytes() int {
	n := g.slots.pages(int(unsafe.Sizeof(slot{}))) + g.targets.pages(int(unsafe.Sizeof(target{})))
	n += g.names.bytes() + g.wants.bytes()
	n += g.order.n * int(unsafe.Sizeof(ordered{}))
	texts := map[*string]struct{}{}
	g.slots.each(func(_ NoteID, s *slot) {
		n += 4 * cap(s.in)
		if s.note != nil {
			n += s.note.bytes(texts)
		}
	})
	for p := range texts {
		n += int(unsafe.Sizeof(*p)) + len(*p)
	}
	g.targets.each(func(_ uint32, t *target) {
		n += 4 * cap(t.sources)
		if t.name != nil {
			n += int(unsafe.Sizeof(*t.name)) + len(t.name.page) + len(t.name.dir)
			n += t.name.labels.Load().bytes()
		}
	})
	for t := range g.tags.all() {
		n += 8 + int(unsafe.Sizeof(*t)) + len(t.key) + 4*cap(t.notes) + t.labels.Load().bytes()
		for _, s := range t.spellings {
			n += int(unsafe.Sizeof(s)) + len(s.text)
		}
	}
	return n
}

// bytes adds the texts that notes share to texts.
func (n *note) bytes(texts map[*string]struct{}) int {
	const header = int(unsafe.Sizeof(""))
	size := int(unsafe.Sizeof(*n)) + len(n.path.String()) + len(n.title)
	for _, a := range n.aliases {
		size += header + len(a)
	}
	size += header*len(n.tags) + int(unsafe.Sizeof(TagAt{}))*cap(n.tagAt) + int(unsafe.Sizeof(link{}))*cap(n.links)
	for _, l := range n.links {
		if l.shown != nil {
			texts[l.shown] = struct{}{}
		}
	}
	return size + n.labels.Load().bytes()
}

func (l *labels) bytes() int {
	if l == nil {
		return 0
	}
	size := int(unsafe.Sizeof(*l))
	for _, t := range l.texts {
		size += int(unsafe.Sizeof(t)) + len(t)
	}
	return size
}
