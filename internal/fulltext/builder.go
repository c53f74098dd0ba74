package fulltext

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"stratum/internal/text"
)

const (
	// batchTokens is how many tokens are inverted at once; it bounds the
	// builder's memory beyond the index itself.
	batchTokens = 1 << 20
	// segmentWords is the most words of a segment that merging makes. It
	// bounds the time and memory of one merge.
	segmentWords = 16 << 20
	// vocabularyMax is how many terms the builder remembers at most.
	vocabularyMax = 1 << 19
)

// Builder builds an index of many notes. Its methods are called from one
// goroutine.
type Builder struct {
	vocabulary *vocabulary
	batch      *batch
	scan       text.Scanner

	working  sync.WaitGroup // at most one batch is being inverted
	spare    *batch         // written by that work
	segments []*segment     // written by that work
}

// batch is the tokens of some notes in the order of the notes.
type batch struct {
	terms  []uint32 // by token: number of its term
	places []uint32 // by token: its word position in the doc
	ends   []uint32 // by doc: the token behind its last
	norms  []byte
	starts []uint32 // first doc of each note
	ids    []NoteID
	sorted []uint64 // doc and position of the tokens, by term; for invert
}

func (b *batch) reset() {
	b.terms, b.places, b.ends = b.terms[:0], b.places[:0], b.ends[:0]
	b.norms, b.starts, b.ids = b.norms[:0], b.starts[:0], b.ids[:0]
}

// NewBuilder returns a builder without notes.
func NewBuilder() *Builder {
	return &Builder{vocabulary: newVocabulary(), batch: &batch{}}
}

// Add adds a note. Of several with one id the last counts.
func (b *Builder) Add(n Note) {
	t := b.batch
	t.starts = append(t.starts, uint32(len(t.ends)))
	t.ids = append(t.ids, n.ID)
	if len(n.Titles) == 0 {
		b.addDoc("", titleNorm)
	}
	for _, title := range n.Titles {
		b.addDoc(title, titleNorm)
	}
	for _, block := range n.Blocks {
		if block.Heading {
			b.addDoc(block.Text, headingNorm)
		} else {
			b.addDoc(block.Text, 0)
		}
	}
	if len(t.terms) >= batchTokens {
		b.flush()
	}
}

func (b *Builder) addDoc(s string, norm int) {
	t := b.batch
	words := 0
	for b.scan.Reset(s); b.scan.Scan(); {
		if b.scan.Kind() != text.Pair {
			words++
		}
		t.terms = append(t.terms, b.vocabulary.number(b.scan.Word()))
		t.places = append(t.places, uint32(b.scan.Pos()))
	}
	t.ends = append(t.ends, uint32(len(t.terms)))
	t.norms = append(t.norms, normOf(norm, words))
}

// flush inverts the batch while the next one is filled.
func (b *Builder) flush() {
	b.working.Wait()
	full, terms := b.batch, b.vocabulary.words
	b.batch = b.spare
	if b.batch == nil {
		b.batch = &batch{terms: make([]uint32, 0, cap(full.terms)), places: make([]uint32, 0, cap(full.places))}
	}
	if len(terms) > vocabularyMax {
		b.vocabulary = newVocabulary()
	}
	b.working.Go(func() {
		b.segments = append(b.segments, full.invert(terms))
		full.reset()
		b.spare = full
	})
}

// Index returns the index of the notes added. The builder is empty after it.
func (b *Builder) Index() *Index {
	segments := b.finish()
	views := make([]*view, len(segments))
	for i, s := range segments {
		views[i] = newView(s)
	}
	keepLast(views)
	return newIndex(mergeAll(views))
}

// finish returns the segments of the notes added.
func (b *Builder) finish() []*segment {
	b.working.Wait()
	segments := b.segments
	if len(b.batch.ids) > 0 {
		segments = append(segments, b.batch.invert(b.vocabulary.words))
	}
	b.vocabulary = newVocabulary()
	b.batch, b.spare, b.segments = &batch{}, nil, nil
	return segments
}

// keepLast deletes from views all but the last note of each id.
func keepLast(views []*view) {
	var ids []NoteID
	for _, v := range views {
		for n := range v.seg.notes {
			ids = append(ids, v.seg.id(n))
		}
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) == len(ids) {
		return
	}
	seen := map[NoteID]bool{}
	for i := len(views) - 1; i >= 0; i-- {
		var again []int
		for n := views[i].seg.notes - 1; n >= 0; n-- {
			id := views[i].seg.id(n)
			if seen[id] {
				again = append(again, n)
			}
			seen[id] = true
		}
		if len(again) > 0 {
			views[i] = views[i].without(again)
		}
	}
}

// invert makes a segment of the batch, whose term numbers index terms.
func (b *batch) invert(terms []string) *segment {
	ends := make([]uint32, len(terms)) // by term: where its tokens end, sorted by term
	for _, t := range b.terms {
		ends[t]++
	}
	var used []uint32
	for t, n := range ends {
		if n > 0 {
			used = append(used, uint32(t))
		}
	}
	slices.SortFunc(used, func(a, b uint32) int { return strings.Compare(terms[a], terms[b]) })
	at := uint32(0)
	for _, t := range used {
		at, ends[t] = at+ends[t], at
	}
	b.sorted = slices.Grow(b.sorted[:0], len(b.terms))[:len(b.terms)]
	tokens := b.sorted
	i := uint32(0)
	for doc, end := range b.ends {
		for ; i < end; i++ {
			t := b.terms[i]
			tokens[ends[t]] = uint64(doc)<<32 | uint64(b.places[i])
			ends[t]++
		}
	}
	w := newSegmentWriter(2*len(tokens) + 4*len(used))
	at = 0
	for _, t := range used {
		w.addTokens(terms[t], tokens[at:ends[t]])
		at = ends[t]
	}
	for n, start := range b.starts {
		end := len(b.ends)
		if n+1 < len(b.starts) {
			end = int(b.starts[n+1])
		}
		w.addNote(b.ids[n], b.norms[start:end])
	}
	return w.segment()
}

// segmentWriter writes a segment: notes and terms, each in order.
type segmentWriter struct {
	s     *segment
	terms dictWriter
	list  listWriter
}

// newSegmentWriter returns a writer that expects postings of about size bytes.
func newSegmentWriter(size int) *segmentWriter {
	w := &segmentWriter{s: &segment{post: make([]byte, 0, size+spare)}}
	w.list.reset()
	return w
}

func (w *segmentWriter) addNote(id NoteID, norms []byte) {
	s := w.s
	if need := bitmapSize(s.docs + 1); need > len(s.starts) {
		s.starts = append(s.starts, make([]byte, need-len(s.starts))...)
	}
	s.starts[s.docs/8] |= 1 << (s.docs % 8)
	s.norms = append(s.norms, norms...)
	s.ids = binary.LittleEndian.AppendUint32(s.ids, id)
	s.docs += uint32(len(norms))
	s.notes++
	if need := bitmapSize(s.docs); need > len(s.starts) {
		s.starts = append(s.starts, make([]byte, need-len(s.starts))...)
	}
}

// addTokens adds a term with its tokens: doc and position, in order.
func (w *segmentWriter) addTokens(term string, tokens []uint64) {
	for i := 0; i < len(tokens); {
		doc := uint32(tokens[i] >> 32)
		n := i + 1
		for n < len(tokens) && uint32(tokens[n]>>32) == doc {
			n++
		}
		w.list.add(doc, uint32(n-i))
		before := uint32(0)
		for ; i < n; i++ {
			place := uint32(tokens[i])
			w.list.places = binary.AppendUvarint(w.list.places, uint64(place-before))
			before = place
		}
	}
	w.endTerm([]byte(term))
}

// endTerm adds a term with the list written so far.
func (w *segmentWriter) endTerm(term []byte) {
	from := len(w.s.post)
	w.s.post = w.list.appendTo(w.s.post)
	w.terms.add(term, len(w.s.post)-from)
}

func (w *segmentWriter) segment() *segment {
	s := w.s
	s.post = append(s.post, make([]byte, spare)...)
	s.dict = w.terms.d
	for _, b := range []*[]byte{&s.post, &s.dict.groups, &s.dict.terms, &s.norms, &s.starts, &s.ids} {
		if cap(*b) > len(*b)+len(*b)/16 {
			*b = append(make([]byte, 0, len(*b)), *b...) // a segment lives long
		}
	}
	s.sortIDs()
	s.index()
	return s
}
