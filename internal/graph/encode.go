package graph

import "encoding/binary"

// The encoding of notes: a table of all texts, each once and each a length and
// its bytes; the number of notes; the notes by ascending id. Every number is a
// varint, and every text of a note is its index in the table.

// AppendNotes appends the notes of g to buf in a compact form, from which
// [DecodeNotes] and [Build] make an equal graph. Of targets it keeps the page
// part. Equal graphs that assign the same ids give the same bytes.
func AppendNotes(buf []byte, g *Graph) []byte {
	enc := encoder{
		index: make(map[string]uint64, 2*g.Len()), shown: map[*string]uint64{},
		pages: make([]uint64, g.limit), notes: make([]byte, 0, 128*g.Len()),
	}
	g.slots.each(func(id NoteID, s *slot) {
		if s.note != nil {
			enc.note(g, id, s.note)
		}
	})
	buf = binary.AppendUvarint(buf, uint64(len(enc.texts)))
	for _, t := range enc.texts {
		buf = binary.AppendUvarint(buf, uint64(len(t)))
		buf = append(buf, t...)
	}
	buf = binary.AppendUvarint(buf, uint64(g.Len()))
	return append(buf, enc.notes...)
}

type encoder struct {
	texts []string
	index map[string]uint64
	shown map[*string]uint64 // index of a shown text
	pages []uint64           // 1 + index of a target's page, by target id
	notes []byte
	last  NoteID // id of the note before
}

func (enc *encoder) number(n uint64) { enc.notes = binary.AppendUvarint(enc.notes, n) }

func (enc *encoder) text(s string) { enc.number(enc.indexOf(s)) }

func (enc *encoder) indexOf(s string) uint64 {
	i, ok := enc.index[s]
	if !ok {
		i = uint64(len(enc.texts))
		enc.texts = append(enc.texts, s)
		enc.index[s] = i
	}
	return i
}

func (enc *encoder) all(texts []string) {
	enc.number(uint64(len(texts)))
	for _, t := range texts {
		enc.text(t)
	}
}

// place writes a block, InFrontmatter being 0, as the distance from the one
// before: blocks mostly ascend.
func (enc *encoder) place(block int32, before *int32) {
	enc.notes = binary.AppendVarint(enc.notes, int64(block)-int64(*before))
	*before = block
}

func (enc *encoder) note(g *Graph, id NoteID, n *note) {
	enc.number(uint64(id - enc.last))
	enc.last = id
	enc.text(n.path.String())
	enc.text(n.title)
	enc.number(uint64(n.blocks))
	enc.all(n.aliases)
	enc.all(n.tags)
	enc.number(uint64(len(n.tagAt)))
	var block int32
	for _, at := range n.tagAt {
		enc.number(uint64(at.Tag))
		enc.place(at.Block, &block)
	}
	enc.number(uint64(len(n.links)))
	block = 0
	for _, l := range n.links {
		enc.link(g, l)
		enc.place(l.block, &block)
	}
}

// link writes target and shown text, which it knows by their addresses.
func (enc *encoder) link(g *Graph, l link) {
	if enc.pages[l.target] == 0 {
		page := ""
		if l.target != 0 {
			page = g.targets.get(l.target).name.page
		}
		enc.pages[l.target] = 1 + enc.indexOf(page)
	}
	enc.number(enc.pages[l.target] - 1)
	i, ok := enc.shown[l.shown]
	if !ok {
		shown := ""
		if l.shown != nil {
			shown = *l.shown
		}
		i = enc.indexOf(shown)
		enc.shown[l.shown] = i
	}
	enc.number(i)
}
