package fulltext

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"stratum/internal/text"
)

// oracle answers queries by looking at every note, with nothing of the index
// but the parser of queries and the weights.
type oracle struct {
	notes map[NoteID]Note
}

// tok is a word of a doc.
type tok struct {
	text string
	pos  uint32
}

// odoc is a title or block.
type odoc struct {
	toks  []tok
	norm  byte
	words int
}

func newDoc(s string, from int) odoc {
	d := odoc{}
	for t := range text.Tokens(s) {
		d.toks = append(d.toks, tok{t.Text, uint32(t.Pos)})
		if t.Kind != text.Pair {
			d.words++
		}
	}
	d.norm = normOf(from, d.words)
	return d
}

// onote is a note as docs.
type onote struct {
	id     NoteID
	titles []odoc
	blocks []odoc
}

func (o *oracle) docs() (notes []onote) {
	for id, n := range o.notes {
		on := onote{id: id}
		for _, t := range n.Titles {
			on.titles = append(on.titles, newDoc(t, titleNorm))
		}
		if len(n.Titles) == 0 {
			on.titles = append(on.titles, newDoc("", titleNorm))
		}
		for _, b := range n.Blocks {
			from := 0
			if b.Heading {
				from = headingNorm
			}
			on.blocks = append(on.blocks, newDoc(b.Text, from))
		}
		notes = append(notes, on)
	}
	return notes
}

// count returns how often the term stands in d.
func (t *term) count(d *odoc) (n uint32) {
	if len(t.words) == 1 && t.prefix {
		for _, k := range d.toks {
			if strings.HasPrefix(k.text, t.words[0]) {
				n++
			}
		}
		return n
	}
	for _, k := range d.toks {
		if k.text != t.words[0] && !(t.prefix && len(t.words) == 1) {
			continue
		}
		all := true
		for i, w := range t.words {
			all = all && slices.ContainsFunc(d.toks, func(o tok) bool {
				last := t.prefix && i == len(t.words)-1
				return o.pos == k.pos+t.offsets[i] && (o.text == w || last && strings.HasPrefix(o.text, w))
			})
		}
		if all {
			n++
		}
	}
	return n
}

// search is Index.Search without paging.
func (o *oracle) search(q string, order func(a, b NoteID) int) Result {
	parsed := ParseQuery(q)
	if len(parsed.terms) == 0 {
		return Result{}
	}
	notes := o.docs()
	r := o.match(notes, parsed.terms, parsed.without, true, order)
	if relaxed := parsed.relaxed(); r.Total == 0 && relaxed != nil {
		r = o.match(notes, relaxed, parsed.without, false, order)
		r.Relaxed = r.Total > 0
	}
	return r
}

func (o *oracle) match(notes []onote, terms, without []term, all bool, order func(a, b NoteID) int) (r Result) {
	docs, blocks, titles := 0, 0, 0
	var blockWords, titleWords int64
	for _, n := range notes {
		for _, d := range n.titles {
			titles++
			titleWords += int64(normLength[d.norm])
		}
		for _, d := range n.blocks {
			blocks++
			blockWords += int64(normLength[d.norm])
		}
	}
	docs = blocks + titles
	w := newWeights(mean(blockWords, blocks), mean(titleWords, titles))
	having := func(t *term) (n int) {
		for i := range notes {
			for j := range notes[i].titles {
				n += min(1, int(t.count(&notes[i].titles[j])))
			}
			for j := range notes[i].blocks {
				n += min(1, int(t.count(&notes[i].blocks[j])))
			}
		}
		return n
	}
	idf := func(n int) float64 {
		return math.Log(1 + (float64(docs-n)+0.5)/(float64(n)+0.5))
	}
	weights := make([]float64, len(terms))
	sum := 0.0
	for i, t := range terms {
		if len(t.words) == 1 {
			weights[i] = idf(having(&t))
		} else {
			for j, word := range t.words {
				if !t.prefix || j < len(t.words)-1 {
					weights[i] += idf(having(&term{words: []string{word}, offsets: []uint32{0}}))
				}
			}
		}
		sum += weights[i]
	}

	type ranked struct {
		Hit
		matched int
		raw     float32
	}
	var hits []ranked
	for _, n := range notes {
		inTitles := make([]float64, len(terms))
		titled := 0
		for i, t := range terms {
			for j := range n.titles {
				if c := t.count(&n.titles[j]); c > 0 {
					inTitles[i] = max(inTitles[i], w.part(n.titles[j].norm, c))
				}
			}
			if inTitles[i] > 0 {
				titled++
			}
		}
		bad := func(docs []odoc) bool {
			return slices.ContainsFunc(without, func(t term) bool {
				return slices.ContainsFunc(docs, func(d odoc) bool { return t.count(&d) > 0 })
			})
		}
		if bad(n.titles) {
			continue
		}
		hit := false
		for j := range n.blocks {
			d := &n.blocks[j]
			score, matched, own := 0.0, 0, 0
			for i, t := range terms {
				part := inTitles[i]
				c := t.count(d)
				if c > 0 {
					own++
				}
				if c > 0 || part > 0 {
					matched++
				}
				if part > 0 {
					score += float64(weights[i] * part)
				}
				switch {
				case c > 0 && part > 0 && len(terms) == 1 && len(without) == 0:
					score = float64(weights[i] * (part + besides(w.part(d.norm, c))))
				case c > 0 && part > 0:
					score += float64(weights[i] * besides(w.part(d.norm, c)))
				case c > 0:
					score += float64(weights[i] * w.part(d.norm, c))
				}
			}
			if own == 0 || all && matched < len(terms) || bad(n.blocks[j:j+1]) {
				continue
			}
			hit = true
			hits = append(hits, ranked{Hit{n.id, j, 0}, matched, float32(score)})
		}
		if hit || titled == 0 || all && titled < len(terms) || len(n.blocks) > 0 && bad(n.blocks[:1]) {
			continue
		}
		score := 0.0
		for i := range terms {
			score += float64(weights[i] * inTitles[i])
		}
		block := 0
		if len(n.blocks) == 0 {
			block = -1
		}
		hits = append(hits, ranked{Hit{n.id, block, 0}, titled, float32(score)})
	}
	slices.SortFunc(hits, func(a, b ranked) int {
		c := 0
		if !all {
			c = b.matched - a.matched
		}
		if c == 0 {
			c = cmp.Compare(b.raw, a.raw)
		}
		if c == 0 && order != nil {
			c = order(a.Note, b.Note)
		}
		return cmp.Or(c, cmp.Compare(a.Note, b.Note), a.Block-b.Block)
	})
	for _, h := range hits {
		s := float64(h.raw) / sum
		h.Score = s / (1 + s)
		if !all {
			h.Score = (float64(h.matched) - 1 + h.Score) / float64(len(terms))
		}
		r.Hits = append(r.Hits, h.Hit)
	}
	r.Total = len(r.Hits)
	return r
}

// phrase returns the blocks that have the words of name.
func (o *oracle) phrase(name string) (hits []Hit) {
	t := newTerm(name, queryTokens)
	for _, n := range o.docs() {
		for j := range n.blocks {
			if len(t.words) > 0 && t.count(&n.blocks[j]) > 0 {
				hits = append(hits, Hit{Note: n.id, Block: j})
			}
		}
	}
	return hits
}
