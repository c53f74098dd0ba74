package fulltext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// The binary form is the number of segments, then each: a header of sizes and
// the parts of the segment as they are in memory, the bitmap of deleted docs
// last. All numbers are little-endian.
const headerSize = 8 * 8

// errTruncated reports that the binary form is shorter than it says.
var errTruncated = errors.New("full-text index is truncated")

// AppendBinary appends the binary form of x to b. It never fails.
func (x *Index) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(x.views)))
	for _, v := range x.views {
		s := v.seg
		for _, n := range [headerSize / 8]int{
			int(s.docs), s.notes, s.dict.count, len(s.dict.groups), len(s.dict.terms), len(s.post), len(s.starts), len(v.gone),
		} {
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		for _, part := range [][]byte{s.norms, s.starts, s.ids, s.byID, s.dict.groups, s.dict.terms, s.post} {
			b = append(b, part...)
		}
		for _, w := range v.gone {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	}
	return b, nil
}

// Decode returns the index whose binary form b is. The index keeps b, which
// must not change. Damage is an error, or leads to wrong answers at worst: the
// caller's file has a checksum.
func Decode(b []byte) (*Index, error) {
	if len(b) < 4 {
		return nil, errTruncated
	}
	n := binary.LittleEndian.Uint32(b)
	b = b[4:]
	if uint64(n) > uint64(len(b)/headerSize) {
		return nil, errTruncated
	}
	views := make([]*view, n)
	for i := range views {
		v, rest, err := decodeView(b)
		if err != nil {
			return nil, fmt.Errorf("segment %d: %w", i, err)
		}
		views[i], b = v, rest
	}
	if len(b) > 0 {
		return nil, errors.New("full-text index is longer than it says")
	}
	return newIndex(views), nil
}

// decodeView reads a view from the beginning of b and returns what follows.
func decodeView(b []byte) (v *view, rest []byte, err error) {
	if len(b) < headerSize {
		return nil, nil, errTruncated
	}
	var header [headerSize / 8]uint64
	for i := range header {
		header[i] = binary.LittleEndian.Uint64(b[8*i:])
		if header[i] > uint64(len(b)) {
			return nil, nil, errTruncated
		}
	}
	b = b[headerSize:]
	docs, notes, terms := header[0], int(header[1]), int(header[2])
	if docs >= uint64(noDoc) {
		return nil, nil, errors.New("too many docs")
	}
	s := &segment{docs: uint32(docs), notes: notes}
	s.dict.count = terms
	for _, part := range []struct {
		to   *[]byte
		size int
	}{
		{&s.norms, int(docs)},
		{&s.starts, int(header[6])},
		{&s.ids, 4 * notes},
		{&s.byID, 4 * notes},
		{&s.dict.groups, int(header[3])},
		{&s.dict.terms, int(header[4])},
		{&s.post, int(header[5])},
	} {
		if part.size > len(b) {
			return nil, nil, errTruncated
		}
		*part.to, b = b[:part.size:part.size], b[part.size:]
	}
	gone := int(header[7])
	if 8*gone > len(b) {
		return nil, nil, errTruncated
	}
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	s.index()
	v = newView(s)
	if gone > 0 {
		if gone != bitmapSize(s.docs)/8 {
			return nil, nil, errors.New("deleted docs of the wrong size")
		}
		words := make([]uint64, gone)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		v.delete(words)
	}
	return v, b[8*gone:], nil
}

// delete makes the notes whose first doc is in gone the deleted ones of a
// fresh view.
func (v *view) delete(gone []uint64) {
	v.gone = gone
	var notes []int
	for start, note := uint32(0), 0; start < v.seg.docs; note++ {
		if v.isDeleted(start) {
			notes = append(notes, note)
		}
		start = v.seg.end(start)
	}
	v.gone = nil
	if len(notes) > 0 {
		*v = *v.without(notes)
	}
}

// check reports what is wrong with the parts of a segment that was read.
func (s *segment) check() error {
	if len(s.starts) != bitmapSize(s.docs) {
		return errors.New("note starts of the wrong size")
	}
	notes := 0
	for i := range len(s.starts) / 8 {
		notes += bits.OnesCount64(s.word(i))
	}
	if used := s.docs % 64; used != 0 && s.word(len(s.starts)/8-1)>>used != 0 {
		return errors.New("note starts behind the last doc")
	}
	if notes != s.notes || s.docs > 0 && s.word(0)&1 == 0 {
		return errors.New("wrong number of notes")
	}
	inTitles := false
	for d, norm := range s.norms {
		starts := s.starts[d/8]>>(d%8)&1 != 0
		title := norm >= titleNorm
		if starts && !title || !starts && title && !inTitles {
			return errors.New("titles behind blocks")
		}
		inTitles = title
	}
	last := NoteID(0)
	for i := range s.notes {
		n := le32(s.byID, i)
		if n >= uint32(s.notes) || s.id(int(n)) < last {
			return errors.New("note ids out of order")
		}
		last = s.id(int(n))
	}
	return s.dict.check(len(s.post))
}
