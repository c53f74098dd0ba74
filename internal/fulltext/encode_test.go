package fulltext

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

func encoded(tb testing.TB, x *Index) []byte {
	tb.Helper()
	b, err := x.AppendBinary(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// sample has several segments, full blocks and deleted notes.
func sample() *Index {
	r := rand.New(rand.NewPCG(9, 10))
	b := NewBuilder()
	for id := range NoteID(120) {
		b.Add(largeNote(r, id))
	}
	return b.Index().With([]Note{largeNote(r, 500)}, []NoteID{3}).With([]Note{randomNote(r, 7)}, nil)
}

func TestEncodeAgain(t *testing.T) {
	b := encoded(t, sample())
	x, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encoded(t, x), b) {
		t.Error("encoding a decoded index gives other bytes")
	}
}

// use asks everything of an index that may be damaged.
func use(x *Index) {
	for _, q := range append(largeQueries, "東京 the -x", "t* a*") {
		x.Search(q, Options{Limit: 10, Offset: 3})
	}
	for range x.Phrase("w1 w2") {
	}
	y := x.With([]Note{{ID: 3, Blocks: []Block{{Text: "w1"}}}}, []NoteID{500})
	y.Compact().Search("w1", Options{Limit: 10})
}

func TestDecodeDamaged(t *testing.T) {
	whole := encoded(t, sample())
	for n := 0; n < len(whole); n += 1 + n/20 {
		if x, err := Decode(whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes were read as %d notes", n, len(whole), x.Notes())
		}
	}
	if _, err := Decode(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a byte too many was not noticed")
	}
	r := rand.New(rand.NewPCG(11, 12))
	read := 0
	for range 100 {
		b := bytes.Clone(whole)
		for range 1 + r.IntN(30) {
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
		if x, err := Decode(b); err == nil {
			read++
			use(x)
		}
	}
	if read == 0 {
		t.Error("all damage was noticed, so nothing was tried")
	}
}

// Counts that would need much memory are refused before any is taken.
func TestDecodeHugeCounts(t *testing.T) {
	whole := encoded(t, sample())
	for i := range headerSize / 8 {
		for _, n := range []uint64{1 << 20, 1 << 32, 1 << 62, ^uint64(0)} {
			b := bytes.Clone(whole)
			binary.LittleEndian.PutUint64(b[4+8*i:], n)
			if _, err := Decode(b); err == nil {
				t.Errorf("field %d of %d was accepted", i, n)
			}
		}
	}
	if _, err := Decode([]byte{255, 255, 255, 255}); err == nil {
		t.Error("four billion segments in no bytes")
	}
}

func FuzzDecode(f *testing.F) {
	b := NewBuilder()
	b.Add(Note{ID: 3, Titles: []string{"w1 w2", "x"}, Blocks: []Block{{Text: "w1 w2 w1"}, {Text: "w20 東京", Heading: true}}})
	b.Add(Note{ID: 9, Titles: []string{"w1"}})
	f.Add(encoded(f, b.Index()))
	f.Add(encoded(f, b.Index().With([]Note{{ID: 3, Blocks: []Block{{Text: "w1"}}}}, nil)))
	f.Add(encoded(f, &Index{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if x, err := Decode(b); err == nil {
			use(x)
		}
	})
}
