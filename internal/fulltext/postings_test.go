package fulltext

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for width := range 33 {
		var in, out [packed]uint32
		for i := range in {
			in[i] = uint32(r.Uint64() & (1<<width - 1))
		}
		in[r.IntN(packed)] = uint32(uint64(1)<<width - 1)
		if got := widthOf(&in); got != width {
			t.Errorf("width %d, want %d", got, width)
		}
		b := appendPacked(nil, &in, width)
		if len(b) != packedSize(width) {
			t.Errorf("width %d takes %d bytes, want %d", width, len(b), packedSize(width))
		}
		unpack(&out, append(b, make([]byte, spare)...), width)
		if in != out {
			t.Errorf("width %d: got %v, want %v", width, out, in)
		}
	}
}

func TestNorms(t *testing.T) {
	for _, from := range []int{0, headingNorm, titleNorm} {
		for words := range 5000 {
			n := normOf(from, words)
			length := int(normLength[n])
			if int(n) < from || length > words || words <= 20 && length != words {
				t.Fatalf("%d words from %d: norm %d, length %d", words, from, n, length)
			}
		}
		if n := normOf(from, 1<<30); int(n) < from {
			t.Errorf("a very long doc from %d has norm %d", from, n)
		}
	}
}

// entry is a doc of a list with its positions.
type entry struct {
	doc    uint32
	places []uint32
}

func randomList(r *rand.Rand, n int) (list []entry, docs uint32) {
	step := 1 + r.IntN(1000)
	for range n {
		docs += uint32(r.IntN(step))
		e := entry{doc: docs}
		at := uint32(0)
		for range 1 + r.IntN(1+r.IntN(5)) {
			at += uint32(1 + r.IntN(300))
			e.places = append(e.places, at)
		}
		list = append(list, e)
		docs++
	}
	return list, docs
}

func write(list []entry) []byte {
	var w listWriter
	w.reset()
	for _, e := range list {
		w.add(e.doc, uint32(len(e.places)))
		before := uint32(0)
		for _, p := range e.places {
			w.places = binary.AppendUvarint(w.places, uint64(p-before))
			before = p
		}
	}
	return w.appendTo(nil)
}

func TestPostings(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{1, 2, 127, 128, 129, 255, 256, 257, 1000, 5000} {
		list, docs := randomList(r, n)
		b := append(write(list), make([]byte, spare)...)
		p := readPostings(b, 0, len(b)-spare, docs)
		if p.count != n {
			t.Fatalf("%d docs, want %d", p.count, n)
		}
		var c termCursor
		c.reset(p)
		for i, e := range list {
			if d := c.seek(e.doc); d != e.doc || int(c.freq()) != len(e.places) {
				t.Fatalf("%d docs: doc %d is %d with %d, want %v", n, i, d, c.freq(), e)
			}
			if got := c.positions(nil); !slices.Equal(got, e.places) {
				t.Fatalf("%d docs: positions %v, want %v", n, got, e.places)
			}
		}
		if d := c.seek(docs); d != noDoc {
			t.Fatalf("%d behind the end", d)
		}
		for range 50 { // leaps of all lengths
			c.reset(p)
			l := listCursor{}
			for _, e := range list {
				l.docs, l.freqs = append(l.docs, e.doc), append(l.freqs, uint32(len(e.places)))
			}
			leap := 1 + r.IntN(int(docs))
			for at := uint32(0); at < docs; at += uint32(1 + r.IntN(leap)) {
				i, _ := slices.BinarySearchFunc(list, at, func(e entry, at uint32) int { return int(e.doc) - int(at) })
				want := noDoc
				if i < len(list) {
					want = list[i].doc
				}
				if got, other := c.seek(at), l.seek(at); got != want || other != want {
					t.Fatalf("seek %d gives %d and %d, want %d", at, got, other, want)
				}
				if want == noDoc {
					break
				}
				if int(c.freq()) != len(list[i].places) || c.freq() != l.freq() {
					t.Fatalf("doc %d has frequency %d, want %d", want, c.freq(), len(list[i].places))
				}
				if r.IntN(3) == 0 && (c.placeOf <= c.i) {
					if got := c.positions(nil); !slices.Equal(got, list[i].places) {
						t.Fatalf("doc %d has positions %v, want %v", want, got, list[i].places)
					}
				}
			}
		}
	}
}

func TestDict(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	seen := map[string]bool{}
	for range 3000 {
		w := make([]byte, 1+r.IntN(6))
		for i := range w {
			w[i] = "abcd"[r.IntN(4)]
		}
		seen[string(w)] = true
	}
	var terms []string
	for w := range seen {
		terms = append(terms, w)
	}
	slices.Sort(terms)
	var w dictWriter
	for i, term := range terms {
		w.add([]byte(term), i)
	}
	if err := w.d.check(w.postings); err != nil {
		t.Fatal(err)
	}
	var it dictIter
	from := 0
	for i, term := range terms {
		if !it.seek(&w.d, []byte(term)) || string(it.term()) != term || it.size != i || it.from != from {
			t.Fatalf("seek %q gives %q with %d from %d, want %d from %d", term, it.term(), it.size, it.from, i, from)
		}
		from += i
		if more := it.next(); more != (i+1 < len(terms)) || more && string(it.term()) != terms[i+1] {
			t.Fatalf("after %q comes %q", term, it.term())
		}
		between := term + "\x00"
		if more := it.seek(&w.d, []byte(between)); more != (i+1 < len(terms)) || more && string(it.term()) != terms[i+1] {
			t.Fatalf("seek %q gives %q", between, it.term())
		}
	}
}
