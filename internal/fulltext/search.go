package fulltext

import (
	"iter"
	"math"
)

// Search returns the blocks that match the query, best first.
//
// A block matches when each word is found in its own text or in its note's
// titles, and one at least in its own. A note whose titles alone have all
// words is represented by its first block.
func (x *Index) Search(q string, o Options) Result { return x.SearchQuery(ParseQuery(q), o) }

// SearchQuery is [Index.Search] for a query that has been parsed.
func (x *Index) SearchQuery(q *Query, o Options) Result {
	if len(q.terms) == 0 {
		return Result{}
	}
	docs := x.counts.docs
	offset, limit := min(max(o.Offset, 0), docs), min(max(o.Limit, 0), docs)
	t := top{order: o.Order}
	if limit > 0 && offset < docs {
		t.keep = min(offset+limit, docs)
	}
	s := searchers.get()
	defer searchers.put(s)
	s.prepare(x, q.terms, q.without)
	for i := range x.views {
		s.all(i, &t)
	}
	r := Result{Total: t.total}
	terms := len(q.terms)
	if relaxed := q.relaxed(); t.total == 0 && relaxed != nil {
		s.release()
		s.prepare(x, relaxed, q.without)
		for i := range x.views {
			s.dense(i, 1, &t)
		}
		terms = len(relaxed)
		r.Total, r.Relaxed = t.total, t.total > 0
	}
	for _, f := range t.sorted(offset) {
		score := scoreOf(f.rank) / s.weight // mean part of a term
		score /= 1 + score
		if r.Relaxed {
			score = (float64(f.rank>>32) - 1 + score) / float64(terms)
		}
		r.Hits = append(r.Hits, Hit{Note: f.note, Block: int(f.block), Score: min(max(score, math.SmallestNonzeroFloat64), 1)})
	}
	return r
}

// Phrase yields the blocks whose own text has the words of name one after the
// other, in no particular order. A name without words is in none.
func (x *Index) Phrase(name string) iter.Seq2[NoteID, int] {
	return func(yield func(NoteID, int) bool) {
		t := newTerm(name, queryTokens)
		if len(t.words) == 0 {
			return
		}
		s := searchers.get()
		defer searchers.put(s)
		s.x = x
		for _, v := range x.views {
			s.release()
			c := s.phrase(v, &t, s.lists(v, &t))
			for d := c.seek(0); d != noDoc; d = c.seek(d + 1) {
				if v.seg.norms[d] >= titleNorm || v.isDeleted(d) {
					continue
				}
				start := v.seg.start(d)
				if !yield(v.seg.id(v.seg.noteOf(d)), int(d-v.seg.firstBlock(start, d))) {
					return
				}
			}
		}
	}
}
