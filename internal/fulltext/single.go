package fulltext

import "math"

// one adds the hits of a segment for a query of a single term.
func (s *searcher) one(view int, t *top) {
	c := s.terms[0].cursors[view]
	o := oneWalk{v: s.x.views[view], w: s.x.weights, idf: s.terms[0].idf, t: t}
	if size(c) > len(s.ranks) {
		clear(s.ranks[:])
		o.ranks = &s.ranks
	}
	each(c, o.docs)
	o.leave()
}

// each calls f with all docs of c and their frequencies, some at a time.
func each(c cursor, f func(docs, freqs []uint32)) {
	switch c := c.(type) {
	case *termCursor:
		for c.next() {
			c.needFreqs()
			f(c.docs[:c.n], c.freqs[:c.n])
		}
	case *listCursor:
		f(c.docs, c.freqs)
	default:
		var docs, freqs [1]uint32
		for d := c.seek(0); d != noDoc; d = c.seek(d + 1) {
			docs[0], freqs[0] = d, c.freq()
			f(docs[:], freqs[:])
		}
	}
}

// ranksOfFreqs is for how many frequencies the ranks of all norms are kept.
const ranksOfFreqs = 8

// oneWalk is the state of walking over the docs of a single term.
type oneWalk struct {
	v     *view
	w     *weights
	idf   float64
	t     *top
	ranks *[256 * ranksOfFreqs]uint32 // by norm and frequency: the score's bits, or 0; nil for few docs
	start uint32                      // the last note whose title has the term
	end   uint32                      // and where it ends
	title float64                     // part of its titles
	alone bool                        // none of its blocks has the term, so far
}

func (o *oneWalk) docs(docs, freqs []uint32) {
	norms, gone := o.v.seg.norms, o.v.gone
	floor := o.t.floor()
	for i, d := range docs {
		if gone != nil && o.v.isDeleted(d) {
			continue
		}
		norm, freq := norms[d], freqs[i]
		if norm >= titleNorm {
			o.enter(d, o.w.part(norm, freq))
			continue
		}
		var rank uint64
		switch {
		case d < o.end:
			o.alone = false
			rank = o.rank(o.title + besides(o.w.part(norm, freq)))
		case o.ranks != nil && freq < ranksOfFreqs:
			r := &o.ranks[uint32(norm)*ranksOfFreqs+freq]
			if *r == 0 {
				*r = uint32(o.rank(o.w.part(norm, freq)))
			}
			rank = 1<<32 | uint64(*r)
		default:
			rank = o.rank(o.w.part(norm, freq))
		}
		o.t.total++
		if rank >= floor {
			o.t.put(o.v, d, rank)
			floor = o.t.floor()
		}
	}
}

// rank returns the rank of a hit with the given part.
func (o *oneWalk) rank(part float64) uint64 {
	return 1<<32 | uint64(math.Float32bits(float32(o.idf*part)))
}

// enter notes that a title matches.
func (o *oneWalk) enter(d uint32, part float64) {
	if d < o.end {
		o.title = max(o.title, part)
		return
	}
	o.leave()
	o.start, o.end, o.title, o.alone = d, o.v.seg.end(d), part, true
}

// leave adds the note whose title alone matches.
func (o *oneWalk) leave() {
	if !o.alone {
		return
	}
	o.alone = false
	start := o.v.seg.start(o.start)
	doc := o.v.seg.firstBlock(start, o.end)
	if doc == o.end {
		doc = start
	}
	o.t.add(o.v, doc, o.rank(o.title))
}
