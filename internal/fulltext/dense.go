package fulltext

// own marks, in the number of terms that a block matches, that one of them is
// in its own text. Queries have fewer terms than that.
const own = 1 << 15

// dense adds the hits of a segment that match at least need terms. It adds up
// the terms in arrays by doc, which is the quick way when many docs match.
func (s *searcher) dense(view, need int, t *top) {
	v := s.x.views[view]
	docs := int(v.seg.docs)
	if len(s.sums) < docs {
		s.sums, s.hits = make([]float64, docs), make([]uint16, docs)
	}
	for i := range s.terms {
		a := denseWalk{s: s, v: v, idf: s.terms[i].idf}
		each(s.terms[i].cursors[view], a.docs)
		a.settle()
	}
	for start := uint32(0); start < v.seg.docs; {
		end := v.seg.end(start)
		if !v.isDeleted(start) {
			s.denseNote(view, start, end, need, t)
		}
		start = end
	}
	clear(s.sums[:docs])
	clear(s.hits[:docs])
}

// denseNote adds the hits of the note that has the docs start to end.
func (s *searcher) denseNote(view int, start, end uint32, need int, t *top) {
	v := s.x.views[view]
	first := v.seg.firstBlock(start, end)
	if s.excludes(view, start, first) {
		return
	}
	apart := int(s.hits[start]) < need || first < end && s.excludes(view, first, first+1)
	hit := false
	for i, n := range s.hits[first:end] {
		if int(n) < own+need {
			continue
		}
		if d := first + uint32(i); !s.excludes(view, d, d+1) {
			t.add(v, d, rankOf(int(n)-own, s.sums[d]))
			hit = true
		}
	}
	if hit || apart {
		return
	}
	rank := rankOf(int(s.hits[start]), s.sums[start])
	if first == end {
		first = start
	}
	t.add(v, first, rank)
}

// denseWalk is the state of adding one term's docs to the sums. The sum of what
// a note's titles match is kept at its first doc.
type denseWalk struct {
	s          *searcher
	v          *view
	idf        float64
	start, end uint32  // the last note whose title has the term
	title      float64 // part of its titles not yet added
}

func (a *denseWalk) docs(docs, freqs []uint32) {
	s := a.s
	for i, d := range docs {
		norm := a.v.seg.norms[d]
		part := s.x.weights.part(norm, freqs[i])
		switch {
		case norm >= titleNorm:
			if d >= a.end {
				a.settle()
				a.start, a.end = a.v.seg.start(d), a.v.seg.end(d)
			}
			a.title = max(a.title, part)
		case d < a.end:
			a.settle()
			s.sums[d] += float64(a.idf * besides(part))
			s.hits[d] |= own
		default:
			s.sums[d] += float64(a.idf * part)
			s.hits[d] = (s.hits[d] + 1) | own
		}
	}
}

// settle adds the part of the titles to all of the note.
func (a *denseWalk) settle() {
	if a.title == 0 {
		return
	}
	sum := float64(a.idf * a.title)
	a.title = 0
	a.s.sums[a.start] += sum
	a.s.hits[a.start]++
	for d := a.v.seg.firstBlock(a.start, a.end); d < a.end; d++ {
		a.s.sums[d] += sum
		a.s.hits[d]++
	}
}
