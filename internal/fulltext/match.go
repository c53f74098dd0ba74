package fulltext

import (
	"cmp"
	"slices"
)

// walk is the state of going through one segment's notes.
type walk struct {
	order  []int     // terms, rarest first
	at     []uint32  // by term: its current doc
	titles []float64 // by term: its part of the score by the note's titles, or 0
}

func (w *walk) reset(terms int) {
	w.order, w.at, w.titles = w.order[:0], w.at[:0], w.titles[:0]
	for i := range terms {
		w.order = append(w.order, i)
		w.at = append(w.at, 0)
		w.titles = append(w.titles, 0)
	}
}

// denseShare is the share of a segment's docs that the rarest term must have
// for the terms to be added up in arrays.
const denseShare = 10

// all adds the hits of a segment that match all terms.
func (s *searcher) all(view int, t *top) {
	if len(s.terms) == 1 && len(s.without) == 0 {
		s.one(view, t)
		return
	}
	v := s.x.views[view]
	seg := v.seg
	w := &s.walk
	w.reset(len(s.terms))
	slices.SortStableFunc(w.order, func(a, b int) int {
		return cmp.Compare(size(s.terms[a].cursors[view]), size(s.terms[b].cursors[view]))
	})
	lead := s.terms[w.order[0]].cursors[view]
	if size(lead) > int(seg.docs)/denseShare {
		s.dense(view, len(s.terms), t)
		return
	}
	doc := lead.seek(0)
note:
	for doc != noDoc {
		start := seg.start(doc)
		end := seg.end(doc)
		w.at[w.order[0]] = doc
		for _, i := range w.order[1:] {
			w.at[i] = s.terms[i].cursors[view].seek(start)
			if w.at[i] == noDoc {
				return
			}
			if w.at[i] >= end {
				doc = lead.seek(seg.start(w.at[i]))
				continue note
			}
		}
		if !v.isDeleted(start) && !s.excludes(view, start, seg.firstBlock(start, end)) {
			s.note(view, start, end, t)
		}
		doc = lead.seek(end)
	}
}

// size returns about how many docs c has at most.
func size(c cursor) int {
	switch c := c.(type) {
	case *termCursor:
		return c.p.count
	case *phraseCursor:
		return c.parts[0].c.p.count
	case *listCursor:
		return len(c.docs)
	}
	return 0
}

// excludes reports whether a doc from start to end has a term that must not
// be.
func (s *searcher) excludes(view int, start, end uint32) bool {
	for i := range s.without {
		if s.without[i].cursors[view].seek(start) < end {
			return true
		}
	}
	return false
}

// note adds the hits of the note that has the docs start to end and all terms
// somewhere.
func (s *searcher) note(view int, start, end uint32, t *top) {
	v, w := s.x.views[view], &s.walk
	first := v.seg.firstBlock(start, end)
	required := 0
	for i := range s.terms {
		w.titles[i] = 0
		c := s.terms[i].cursors[view]
		for w.at[i] < first {
			w.titles[i] = max(w.titles[i], s.x.weights.part(v.seg.norms[w.at[i]], c.freq()))
			w.at[i] = c.seek(w.at[i] + 1)
		}
		if w.titles[i] == 0 {
			required++
		}
	}
	// Asked first, since the terms that must not be are walked upwards too.
	apart := required > 0 || first < end && s.excludes(view, first, first+1)
	hit := false
	for doc := s.nextBlock(view, first, end, required); doc < end; doc = s.nextBlock(view, doc+1, end, required) {
		if s.excludes(view, doc, doc+1) {
			continue
		}
		score := 0.0
		for i := range s.terms {
			score = s.addScore(score, view, i, doc)
		}
		t.add(v, doc, rankOf(len(s.terms), score))
		hit = true
	}
	if hit || apart {
		return
	}
	score := 0.0
	for i := range s.terms {
		score += float64(s.terms[i].idf * w.titles[i])
	}
	if first == end {
		first = start
	}
	t.add(v, first, rankOf(len(s.terms), score))
}

// addScore adds to score what term i gives doc.
func (s *searcher) addScore(score float64, view, i int, doc uint32) float64 {
	w, idf := &s.walk, s.terms[i].idf
	if w.titles[i] > 0 {
		score += float64(idf * w.titles[i])
	}
	if w.at[i] == doc {
		own := s.x.weights.part(s.x.views[view].seg.norms[doc], s.terms[i].cursors[view].freq())
		if w.titles[i] > 0 {
			own = besides(own)
		}
		score += float64(idf * own)
	}
	return score
}

// nextBlock moves the terms to the first block from doc on that matches, and
// returns it, or end.
func (s *searcher) nextBlock(view int, doc, end uint32, required int) uint32 {
	w := &s.walk
	if required == 0 { // any term will do
		next := end
		for i := range s.terms {
			if w.at[i] < doc {
				w.at[i] = s.terms[i].cursors[view].seek(doc)
			}
			next = min(next, w.at[i])
		}
		return next
	}
again:
	for doc < end {
		for _, i := range w.order {
			if w.titles[i] > 0 {
				continue
			}
			if w.at[i] < doc {
				w.at[i] = s.terms[i].cursors[view].seek(doc)
			}
			if w.at[i] > doc {
				doc = w.at[i]
				continue again
			}
		}
		for i := range s.terms {
			if w.at[i] < doc {
				w.at[i] = s.terms[i].cursors[view].seek(doc)
			}
		}
		return doc
	}
	return end
}
