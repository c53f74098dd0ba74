package fulltext

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"sync"
)

// searcher holds what one search needs, so that the next can use it again.
type searcher struct {
	x       *Index
	terms   []part
	without []part
	weight  float64 // sum of the terms' idf

	free   []*termCursor // not in use
	used   []*termCursor
	it     dictIter
	counts []uint32 // by doc, all 0 between uses
	sums   []float64
	hits   []uint16
	ranks  [256 * ranksOfFreqs]uint32
	walk   walk
}

// part is a term of a query in all segments.
type part struct {
	cursors []cursor // by view
	idf     float64
}

type searcherPool struct{ p sync.Pool }

// searchers is shared by all indexes; what it holds belongs to none.
var searchers searcherPool

func (p *searcherPool) get() *searcher {
	if s, ok := p.p.Get().(*searcher); ok {
		return s
	}
	return &searcher{}
}

func (p *searcherPool) put(s *searcher) {
	s.release()
	s.x, s.it.d = nil, nil
	p.p.Put(s)
}

// release takes back all cursors.
func (s *searcher) release() {
	for _, c := range s.used {
		c.reset(postings{})
	}
	s.free = append(s.free, s.used...)
	s.used = s.used[:0]
	clear(s.terms)
	clear(s.without)
	s.terms, s.without = s.terms[:0], s.without[:0]
}

func (s *searcher) cursor(p postings) *termCursor {
	var c *termCursor
	if n := len(s.free); n > 0 {
		c, s.free = s.free[n-1], s.free[:n-1]
	} else {
		c = &termCursor{}
	}
	c.reset(p)
	s.used = append(s.used, c)
	return c
}

// prepare makes cursors for all terms and weighs the terms.
func (s *searcher) prepare(x *Index, terms, without []term) {
	s.x, s.weight = x, 0
	for i := range terms {
		p := s.part(&terms[i], true)
		s.weight += p.idf
		s.terms = append(s.terms, p)
	}
	for i := range without {
		s.without = append(s.without, s.part(&without[i], false))
	}
}

// part makes the cursors of a term, weighed where that is asked for. The
// weight of a phrase is that of its whole words together.
func (s *searcher) part(t *term, weigh bool) part {
	p := part{cursors: make([]cursor, len(s.x.views))}
	if len(t.words) == 1 && t.prefix {
		n := 0
		for i, v := range s.x.views {
			p.cursors[i] = s.prefix(v, t.words[0])
			if weigh {
				n += s.live(v, p.cursors[i])
			}
		}
		p.idf = s.idf(n)
		return p
	}
	counts := make([]int, len(t.words))
	for i, v := range s.x.views {
		lists := s.lists(v, t)
		p.cursors[i] = s.phrase(v, t, lists)
		if weigh {
			for j := range lists {
				counts[j] += s.liveCount(v, &lists[j])
			}
		}
	}
	for _, n := range counts[:t.whole()] {
		p.idf += s.idf(n)
	}
	return p
}

// whole returns how many of the term's words are no prefix.
func (t *term) whole() int {
	if t.prefix {
		return len(t.words) - 1
	}
	return len(t.words)
}

// idf weighs a term that n live docs have.
func (s *searcher) idf(n int) float64 {
	return max(math.Log(1+(float64(s.x.counts.docs-n)+0.5)/(float64(n)+0.5)), math.SmallestNonzeroFloat32)
}

// live returns how many live docs the cursor of a prefix has.
func (s *searcher) live(v *view, c cursor) int {
	switch c := c.(type) {
	case *termCursor:
		return s.liveCount(v, &c.p)
	case *listCursor:
		return len(c.docs) // holds live docs only
	}
	return 0
}

// liveCount returns how many docs of the list are not deleted.
func (s *searcher) liveCount(v *view, p *postings) int {
	if v.deleted == 0 || p.count == 0 {
		return p.count
	}
	return p.liveCount(v, s.cursor(*p))
}

// lists returns the postings of the whole words of t.
func (s *searcher) lists(v *view, t *term) []postings {
	lists := make([]postings, t.whole())
	for i := range lists {
		lists[i] = v.seg.postings(t.words[i], &s.it)
	}
	return lists
}

// phrase returns the cursor of the words of t, of which lists has the postings.
func (s *searcher) phrase(v *view, t *term, lists []postings) cursor {
	for i := range lists {
		if lists[i].count == 0 {
			return &listCursor{}
		}
	}
	if len(t.words) == 1 {
		return s.cursor(lists[0])
	}
	parts := make([]phrasePart, len(lists))
	for i := range lists {
		parts[i] = phrasePart{s.cursor(lists[i]), t.offsets[i]}
	}
	c := newPhraseCursor(parts)
	if t.prefix {
		return s.followed(v, c, t.words[len(lists)], t.offsets[len(lists)])
	}
	return c
}

// prefix returns the cursor of all words that begin with word, as if they
// were one.
func (s *searcher) prefix(v *view, word string) cursor {
	var lists []postings
	total := 0
	for p := range s.expand(v, word) {
		lists = append(lists, p)
		total += p.count
	}
	switch {
	case len(lists) == 0:
		return &listCursor{}
	case len(lists) == 1:
		return s.cursor(lists[0])
	}
	if need := int(v.seg.docs); len(s.counts) < need {
		s.counts = make([]uint32, need)
	}
	c := &listCursor{docs: make([]uint32, 0, min(total, v.counts.docs))}
	var tc termCursor
	sparse := total < int(v.seg.docs)/64
	for _, p := range lists {
		for tc.reset(p); tc.next(); {
			tc.needFreqs()
			for i, d := range tc.docs[:tc.n] {
				if sparse && s.counts[d] == 0 {
					c.docs = append(c.docs, d)
				}
				s.counts[d] += tc.freqs[i]
			}
		}
	}
	if sparse {
		slices.Sort(c.docs)
	} else {
		for d := range v.seg.docs {
			if s.counts[d] > 0 {
				c.docs = append(c.docs, d)
			}
		}
	}
	live := c.docs[:0]
	c.freqs = make([]uint32, 0, len(c.docs))
	for _, d := range c.docs {
		if !v.isDeleted(d) {
			live = append(live, d)
			c.freqs = append(c.freqs, s.counts[d])
		}
		s.counts[d] = 0
	}
	c.docs = live
	return c
}

// expand yields the postings of the words that begin with word.
func (s *searcher) expand(v *view, word string) iter.Seq[postings] {
	return func(yield func(postings) bool) {
		it := &s.it
		for more := it.seek(&v.seg.dict, []byte(word)); more && bytes.HasPrefix(it.term(), []byte(word)); more = it.next() {
			if p := readPostings(v.seg.post, it.from, it.size, v.seg.docs); p.count > 0 && !yield(p) {
				return
			}
		}
	}
}

// followed returns the cursor of the docs of c in which a word that begins
// with word stands at the distance offset from the phrase's start.
func (s *searcher) followed(v *view, c *phraseCursor, word string, offset uint32) cursor {
	var docs, places []uint32 // by candidate; a doc has one for each start
	for d := c.seek(0); d != noDoc; d = c.seek(d + 1) {
		for _, start := range c.starts {
			docs = append(docs, d)
			places = append(places, start+offset)
		}
	}
	found := make([]bool, len(docs))
	var tc termCursor
	var at []uint32
	for p := range s.expand(v, word) {
		tc.reset(p)
		for i := 0; i < len(docs); {
			d := tc.seek(docs[i])
			if d == noDoc {
				break
			}
			if d != docs[i] {
				n, _ := slices.BinarySearch(docs[i:], d)
				i += n
				continue
			}
			at = tc.positions(at[:0])
			for ; i < len(docs) && docs[i] == d; i++ {
				if _, ok := slices.BinarySearch(at, places[i]); ok {
					found[i] = true
				}
			}
		}
	}
	list := &listCursor{}
	for i, d := range docs {
		if !found[i] || v.isDeleted(d) {
			continue
		}
		if n := len(list.docs); n > 0 && list.docs[n-1] == d {
			list.freqs[n-1]++
			continue
		}
		list.docs = append(list.docs, d)
		list.freqs = append(list.freqs, 1)
	}
	return list
}
