package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"stratum"
)

// errCorrupt says that bytes are not what AppendNotes wrote.
var errCorrupt = errors.New("graph: notes are corrupt")

// DecodeNotes reads all of buf, which AppendNotes wrote. It returns an error
// for anything else and never takes memory out of proportion to buf. The notes
// do not share buf's memory.
func DecodeNotes(buf []byte) ([]Note, error) {
	dec := decoder{buf: buf}
	texts := dec.table()
	count := dec.count(minNote)
	notes := make([]Note, 0, count)
	last := NoteID(0)
	for i := range count {
		n := dec.note(texts, last)
		if i > 0 && n.ID <= last {
			dec.failed = true
		}
		if dec.failed {
			return nil, fmt.Errorf("note %d of %d: %w", i, count, errCorrupt)
		}
		last = n.ID
		notes = append(notes, n)
	}
	if dec.failed || len(dec.buf) > 0 {
		return nil, fmt.Errorf("%d bytes left: %w", len(dec.buf), errCorrupt)
	}
	return notes, nil
}

// minNote is the fewest bytes of a note: its eight numbers, one byte each.
const minNote = 8

// decoder reads numbers off buf until one is not there; from then on all are
// 0 and failed is set.
type decoder struct {
	buf    []byte
	failed bool
}

func (dec *decoder) number() uint64 {
	n, size := binary.Uvarint(dec.buf)
	return took(dec, n, size)
}

func (dec *decoder) signed() int64 {
	n, size := binary.Varint(dec.buf)
	return took(dec, n, size)
}

func took[N uint64 | int64](dec *decoder, n N, size int) N {
	if size <= 0 || dec.failed {
		dec.failed = true
		return 0
	}
	dec.buf = dec.buf[size:]
	return n
}

// count reads how many things follow that take at least size bytes each.
func (dec *decoder) count(size int) int {
	n := dec.number()
	if n > uint64(len(dec.buf)/size) {
		dec.failed = true
		return 0
	}
	return int(n)
}

// below reads a number that is less than limit.
func (dec *decoder) below(limit uint64) int {
	n := dec.number()
	if n >= limit {
		dec.failed = true
		return 0
	}
	return int(n)
}

func (dec *decoder) table() []string {
	texts := make([]string, dec.count(1))
	for i := range texts {
		n := dec.count(1)
		if dec.failed {
			return nil
		}
		texts[i] = string(dec.buf[:n])
		dec.buf = dec.buf[n:]
	}
	return texts
}

func (dec *decoder) text(texts []string) string {
	i := dec.below(uint64(len(texts)))
	if dec.failed {
		return ""
	}
	return texts[i]
}

func (dec *decoder) all(texts []string) []string {
	n := dec.count(1)
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = dec.text(texts)
	}
	return out
}

// place reads a block of a note with so many.
func (dec *decoder) place(blocks int, before *int32) int32 {
	d := dec.signed()
	if d > math.MaxInt32 || d < -math.MaxInt32 {
		dec.failed = true
		return 0
	}
	block := int64(*before) + d
	if block < int64(InFrontmatter) || block >= int64(blocks) {
		dec.failed = true
		return 0
	}
	*before = int32(block)
	return *before
}

func (dec *decoder) note(texts []string, last NoteID) Note {
	n := Note{ID: last + NoteID(dec.below(math.MaxUint32-uint64(last)+1))}
	name := dec.text(texts)
	p, err := stratum.ParsePath(name)
	if err != nil || p.String() != name {
		dec.failed = true
	}
	n.Path = p
	n.Title = dec.text(texts)
	n.Blocks = dec.below(math.MaxInt32)
	n.Aliases = dec.all(texts)
	n.Tags = dec.all(texts)
	if count := dec.count(2); count > 0 {
		n.TagAt = make([]TagAt, count)
	}
	var block int32
	for i := range n.TagAt {
		n.TagAt[i].Tag = int32(dec.below(uint64(len(n.Tags))))
		n.TagAt[i].Block = dec.place(n.Blocks, &block)
	}
	if count := dec.count(3); count > 0 {
		n.Links = make([]Link, count)
	}
	block = 0
	for i := range n.Links {
		n.Links[i] = Link{dec.text(texts), dec.text(texts), dec.place(n.Blocks, &block)}
	}
	return n
}
