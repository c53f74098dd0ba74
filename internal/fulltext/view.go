package fulltext

import (
	"iter"
	"math/bits"
)

// view is a segment as one index sees it: without the notes that were changed
// or removed since.
type view struct {
	seg          *segment
	gone         []uint64 // bitmap of deleted docs; nil when there are none
	deleted      uint32   // docs
	deletedNotes int
	counts       counts // of what is live
}

// counts are the numbers that ranking needs. They add up over views.
type counts struct {
	notes, docs, blocks, titles int
	blockWords, titleWords      int64
}

func (c *counts) add(o counts, sign int) {
	c.notes += sign * o.notes
	c.docs += sign * o.docs
	c.blocks += sign * o.blocks
	c.titles += sign * o.titles
	c.blockWords += int64(sign) * o.blockWords
	c.titleWords += int64(sign) * o.titleWords
}

// words returns the size of what is live, for the choice of what to merge.
func (c *counts) words() int64 { return c.blockWords + c.titleWords + int64(c.docs) }

// count returns the counts of the docs from start to end, notes aside.
func (s *segment) count(start, end uint32) (c counts) {
	for _, norm := range s.norms[start:end] {
		n := int64(normLength[norm])
		if norm >= titleNorm {
			c.titles++
			c.titleWords += n
		} else {
			c.blocks++
			c.blockWords += n
		}
	}
	c.docs = int(end - start)
	return c
}

func newView(s *segment) *view {
	v := &view{seg: s, counts: s.count(0, s.docs)}
	v.counts.notes = s.notes
	return v
}

func (v *view) isDeleted(doc uint32) bool {
	return v.gone != nil && v.gone[doc/64]>>(doc%64)&1 != 0
}

// without returns v without the given notes, which are live in it.
func (v *view) without(notes []int) *view {
	w := *v
	w.gone = make([]uint64, (v.seg.docs+63)/64)
	copy(w.gone, v.gone)
	for _, n := range notes {
		start, end := v.seg.docsOf(n)
		for d := start; d < end; d++ {
			w.gone[d/64] |= 1 << (d % 64)
		}
		gone := v.seg.count(start, end)
		gone.notes = 1
		w.counts.add(gone, -1)
		w.deleted += end - start
		w.deletedNotes++
	}
	return &w
}

// find returns the live note with the given id.
func (v *view) find(id NoteID) (note int, ok bool) {
	for note := range v.seg.withID(id) {
		if start, end := v.seg.docsOf(note); start < end && !v.isDeleted(start) {
			return note, true
		}
	}
	return 0, false
}

type docRange struct{ start, end uint32 }

// deletedRanges yields the runs of deleted docs in order.
func (v *view) deletedRanges() iter.Seq[docRange] {
	return func(yield func(docRange) bool) {
		if v.gone == nil {
			return
		}
		for start := v.nextDoc(0, true); start < v.seg.docs; {
			end := v.nextDoc(start, false)
			if !yield(docRange{start, end}) {
				return
			}
			start = v.nextDoc(end, true)
		}
	}
}

// nextDoc returns the first doc from doc on that is deleted, or is not.
func (v *view) nextDoc(doc uint32, deleted bool) uint32 {
	for doc < v.seg.docs {
		w := v.gone[doc/64]
		if !deleted {
			w = ^w
		}
		if w >>= doc % 64; w != 0 {
			return min(doc+uint32(bits.TrailingZeros64(w)), v.seg.docs)
		}
		doc = doc/64*64 + 64
	}
	return v.seg.docs
}
