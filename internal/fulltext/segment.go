package fulltext

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
	"sort"
)

// A segment is a part of an index that never changes. Its docs are numbered
// note by note: first the note's titles, at least one, then its blocks.
type segment struct {
	docs   uint32
	notes  int
	norms  []byte // by doc
	starts []byte // bitmap: the first doc of a note
	ids    []byte // uint32 by note: its id
	byID   []byte // uint32: the notes in the order of their ids
	dict   dict
	post   []byte   // postings of all terms, and spare bytes
	ranks  []uint32 // notes that begin before each rankDocs-th doc
}

// rankDocs is how many docs one entry of ranks stands for.
const rankDocs = 512

func le32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// bitmapSize returns the bytes of a bitmap of n bits: whole words of 64.
func bitmapSize(n uint32) int { return int((uint64(n) + 63) / 64 * 8) }

// word returns the i-th 64 bits of starts.
func (s *segment) word(i int) uint64 { return binary.LittleEndian.Uint64(s.starts[8*i:]) }

// index makes what is not stored.
func (s *segment) index() {
	s.ranks = make([]uint32, 0, s.docs/rankDocs+1)
	n := uint32(0)
	for i := range len(s.starts) / 8 {
		if i%(rankDocs/64) == 0 {
			s.ranks = append(s.ranks, n)
		}
		n += uint32(bits.OnesCount64(s.word(i)))
	}
}

// noteOf returns the note that doc belongs to.
func (s *segment) noteOf(doc uint32) int {
	n := s.ranks[doc/rankDocs]
	i := int(doc / rankDocs * (rankDocs / 64))
	for ; i < int(doc/64); i++ {
		n += uint32(bits.OnesCount64(s.word(i)))
	}
	n += uint32(bits.OnesCount64(s.word(i) << (63 - doc%64)))
	return int(n) - 1
}

// id returns the id of a note.
func (s *segment) id(note int) NoteID { return le32(s.ids, note) }

// start returns the first doc of the note that doc belongs to.
func (s *segment) start(doc uint32) uint32 {
	i := int(doc / 64)
	w := s.word(i) << (63 - doc%64)
	if w != 0 {
		return doc - uint32(bits.LeadingZeros64(w))
	}
	for i--; i >= 0; i-- {
		if w := s.word(i); w != 0 {
			return uint32(i*64 + 63 - bits.LeadingZeros64(w))
		}
	}
	return 0
}

// end returns the first doc behind the note that doc belongs to.
func (s *segment) end(doc uint32) uint32 {
	if doc+1 >= s.docs {
		return s.docs
	}
	doc++
	i := int(doc / 64)
	if w := s.word(i) >> (doc % 64); w != 0 {
		return min(doc+uint32(bits.TrailingZeros64(w)), s.docs)
	}
	for i++; i < len(s.starts)/8; i++ {
		if w := s.word(i); w != 0 {
			return min(uint32(i*64+bits.TrailingZeros64(w)), s.docs)
		}
	}
	return s.docs
}

// firstBlock returns the doc of the first block of the note that has the docs
// start to end; end when it has no block.
func (s *segment) firstBlock(start, end uint32) uint32 {
	for start < end && s.norms[start] >= titleNorm {
		start++
	}
	return start
}

// withID yields the notes that have or had the given id.
func (s *segment) withID(id NoteID) iter.Seq[int] {
	n := len(s.byID) / 4
	i := sort.Search(n, func(i int) bool { return s.id(int(le32(s.byID, i))) >= id })
	return func(yield func(int) bool) {
		for ; i < n; i++ {
			note := int(le32(s.byID, i))
			if s.id(note) != id || !yield(note) {
				return
			}
		}
	}
}

// docsOf returns the docs of the n-th note.
func (s *segment) docsOf(note int) (start, end uint32) {
	block := sort.Search(len(s.ranks), func(i int) bool { return int(s.ranks[i]) > note }) - 1
	left := note - int(s.ranks[block]) // notes to pass over
	for i := block * (rankDocs / 64); i < len(s.starts)/8; i++ {
		w := s.word(i)
		n := bits.OnesCount64(w)
		if left >= n {
			left -= n
			continue
		}
		for ; left > 0; left-- {
			w &= w - 1
		}
		start = uint32(i*64 + bits.TrailingZeros64(w))
		return start, s.end(start)
	}
	return s.docs, s.docs
}

// bytes returns the memory of the segment.
func (s *segment) bytes() int64 {
	return int64(len(s.norms) + len(s.starts) + len(s.ids) + len(s.byID) + len(s.dict.groups) + len(s.dict.terms) + len(s.post) + 4*len(s.ranks))
}

// postings returns the list of a term.
func (s *segment) postings(term string, it *dictIter) postings {
	if !it.seek(&s.dict, []byte(term)) || string(it.term()) != term {
		return postings{}
	}
	return readPostings(s.post, it.from, it.size, s.docs)
}

// sortIDs fills byID.
func (s *segment) sortIDs() {
	order := make([]uint32, s.notes)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		x, y := s.id(int(a)), s.id(int(b))
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a) - int(b)
	})
	s.byID = make([]byte, 0, 4*s.notes)
	for _, n := range order {
		s.byID = binary.LittleEndian.AppendUint32(s.byID, n)
	}
}
