package fulltext

import "bytes"

// mergeAll merges views into few that have no deleted notes.
func mergeAll(views []*view) []*view {
	var merged []*view
	for len(views) > 0 {
		n, words := 1, views[0].counts.words()
		for n < len(views) && words+views[n].counts.words() <= segmentWords {
			words += views[n].counts.words()
			n++
		}
		group := views[:n]
		views = views[n:]
		if n == 1 && group[0].deleted == 0 {
			merged = append(merged, group[0])
			continue
		}
		if m := merge(group); m.seg.docs > 0 {
			merged = append(merged, m)
		}
		clear(group) // so that their memory can be used again
	}
	return merged
}

// source is one of the segments being merged.
type source struct {
	v     *view
	terms dictIter
	more  bool
	docs  []uint32 // new number by old; nil when base is added to each
	base  uint32
}

// merge makes one segment of the live notes of views, in their order.
func merge(views []*view) *view {
	size := 0
	for _, v := range views {
		size += len(v.seg.post)
	}
	w := newSegmentWriter(size)
	sources := make([]source, len(views))
	for i, v := range views {
		sources[i].addNotes(w, v)
		sources[i].terms.start(&v.seg.dict, 0)
		sources[i].more = sources[i].terms.next()
	}
	var c termCursor
	var term []byte
	for {
		first := -1
		for i := range sources {
			s := &sources[i]
			if s.more && (first < 0 || bytes.Compare(s.terms.term(), sources[first].terms.term()) < 0) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		term = append(term[:0], sources[first].terms.term()...)
		for i := first; i < len(sources); i++ {
			s := &sources[i]
			if !s.more || !bytes.Equal(s.terms.term(), term) {
				continue
			}
			s.copyList(&w.list, &c)
			s.more = s.terms.next()
		}
		if w.list.count > 0 {
			w.endTerm(term)
		}
	}
	return newView(w.segment())
}

// addNotes adds the live notes of v and numbers their docs.
func (s *source) addNotes(w *segmentWriter, v *view) {
	s.v, s.base = v, w.s.docs
	if v.deleted > 0 {
		s.docs = make([]uint32, v.seg.docs)
	}
	start := uint32(0)
	for note := range v.seg.notes {
		end := v.seg.end(start)
		if !v.isDeleted(start) {
			if s.docs != nil {
				for d := start; d < end; d++ {
					s.docs[d] = w.s.docs + d - start
				}
			}
			w.addNote(v.seg.id(note), v.seg.norms[start:end])
		}
		start = end
	}
}

// copyList appends the live docs of the current term.
func (s *source) copyList(w *listWriter, c *termCursor) {
	c.reset(readPostings(s.v.seg.post, s.terms.from, s.terms.size, s.v.seg.docs))
	for c.next() {
		c.needFreqs()
		for c.i = 0; c.i < c.n; c.i++ {
			d := c.docs[c.i]
			if s.docs == nil {
				d += s.base
			} else if s.v.isDeleted(d) {
				continue
			} else {
				d = s.docs[d]
			}
			w.add(d, c.freqs[c.i])
			w.places = append(w.places, c.placeBytes()...)
		}
	}
}
