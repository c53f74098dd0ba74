package fulltext

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// library is a small vault whose hits can be told by heart.
func library() *Index {
	b := NewBuilder()
	for _, n := range []Note{
		{ID: 1, Titles: []string{"Apple Pie", "tarte"}, Blocks: []Block{{Text: "flour and butter"}, {Text: "bake the apple pie"}}},
		{ID: 2, Titles: []string{"Orchard"}, Blocks: []Block{{Text: "Apples and pears", Heading: true}, {Text: "an apple tree and a pear tree"}}},
		{ID: 3, Titles: []string{"Pear"}},
		{ID: 4, Titles: []string{"Diary"}, Blocks: []Block{{Text: "pear", Heading: true}, {Text: "ate a pear"}, {Text: "2024-05-01 it's a/b.md"}}},
		{ID: 5, Titles: []string{"東京"}, Blocks: []Block{{Text: "京都と大阪に行く"}, {Text: "Élan vital, straße"}}},
	} {
		b.Add(n)
	}
	return b.Index()
}

func TestSemantics(t *testing.T) {
	x := library()
	for _, c := range []struct{ query, want string }{
		{"apple", "1/1 2/1"},                          // a title's word lifts the block
		{"pie apple", "1/1"},                          // any order
		{"butter apple", "1/0"},                       // one word in the title, one in the block
		{`"apple pie"`, "1/1"},                        // within a block
		{`"pie tarte"`, ""},                           // never across titles
		{`"butter bake"`, ""},                         // nor across blocks
		{"tarte", "1/0"},                              // an alias alone: the first block
		{"pear", "3/-1 4/0 4/1 2/1"},                  // title, then heading, then body
		{"pear*", "3/-1 4/0 2/0 4/1 2/1"},             // with the plural
		{"pear -tree", "3/-1 4/0 4/1"},                // without a word
		{"apple -pie", "2/1"},                         // nor in the title
		{"-apple", ""},                                // only negatives
		{"and -\"apple tree\"", "2/0 1/0"},            // without a phrase
		{"2024-05-01", "4/2"},                         // a date is a phrase
		{"05-2024", ""},                               // in its order
		{"it's A/B.md", "4/2"},                        //
		{"elan STRASSE", "5/1"},                       // folded
		{"大阪", "5/0"},                                 // without spaces
		{"東京", "5/0"},                                 // title alone
		{"京大", ""},                                    // not neighbours
		{"butter pears", "2/0 1/0 relaxed"},           // any word may match
		{"tree butter xyz", "2/1 1/0 relaxed"},        //
		{"tree pear xyz", "2/1 3/-1 4/0 4/1 relaxed"}, // more words first
		{"butter pears -flour", "2/0 relaxed"},        //
		{"xyz zyx", ""},                               //
		{"!!! ... \"", ""},                            // no words at all
		{"大阪駅", "5/0 relaxed"},                        // CJK falls into pairs
		{"\"大阪駅\"", ""},                               // unless quoted
	} {
		r := x.Search(c.query, Options{Limit: 100})
		var got []string
		for _, h := range r.Hits {
			got = append(got, fmt.Sprintf("%d/%d", h.Note, h.Block))
		}
		if r.Relaxed {
			got = append(got, "relaxed")
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: got %q, want %q", c.query, s, c.want)
		}
		if n := len(r.Hits); n != r.Total {
			t.Errorf("%q: %d hits, total %d", c.query, n, r.Total)
		}
	}
}

func TestOptions(t *testing.T) {
	x := library()
	for _, c := range []struct{ offset, limit, hits int }{
		{0, 0, 0}, {0, -1, 0}, {-5, 2, 2}, {1, 100, 3}, {4, 10, 0}, {1 << 62, 1 << 62, 0}, {0, 1 << 62, 4},
	} {
		r := x.Search("pear", Options{Offset: c.offset, Limit: c.limit})
		if r.Total != 4 || len(r.Hits) != c.hits {
			t.Errorf("offset %d, limit %d: %d hits of %d, want %d of 4", c.offset, c.limit, len(r.Hits), r.Total, c.hits)
		}
	}
}

// The same match counts more in a title than in a heading than in body text,
// however long they are.
func TestFieldsOutrank(t *testing.T) {
	b := NewBuilder()
	filler := strings.Repeat("filler ", 300)
	b.Add(Note{ID: 1, Titles: []string{"x"}, Blocks: []Block{{Text: "needle needle needle"}}})
	b.Add(Note{ID: 2, Titles: []string{"x"}, Blocks: []Block{{Text: "needle " + filler, Heading: true}}})
	b.Add(Note{ID: 3, Titles: []string{"needle " + filler}, Blocks: []Block{{Text: "y"}}})
	b.Add(Note{ID: 4, Titles: []string{"x", "alias needle"}, Blocks: []Block{{Text: "y"}}})
	var got []NoteID
	for _, h := range b.Index().Search("needle", Options{Limit: 9}).Hits {
		got = append(got, h.Note)
	}
	if fmt.Sprint(got) != "[4 3 2 1]" {
		t.Errorf("got %v, want titles, heading, body", got)
	}
}

func TestLongWords(t *testing.T) {
	long := strings.Repeat("abcdefghij", 50)
	b := NewBuilder()
	b.Add(Note{ID: 7, Blocks: []Block{{Text: "x " + long + " y"}}})
	x := b.Index()
	for _, q := range []string{long, strings.ToUpper(long), long[:60] + "*", `"x ` + long + ` y"`} {
		if r := x.Search(q, Options{Limit: 1}); r.Total != 1 || r.Relaxed {
			t.Errorf("%d hits for %.20q", r.Total, q)
		}
	}
}

func TestEmpty(t *testing.T) {
	var zero Index
	for _, x := range []*Index{&zero, NewBuilder().Index(), (&zero).With(nil, []NoteID{1}), (&zero).Compact()} {
		if r := x.Search("a -b c*", Options{Limit: 5}); r.Total != 0 || x.Notes() != 0 || x.Blocks() != 0 || x.Segments() != 0 || x.Bytes() != 0 || x.NeedsCompaction() {
			t.Errorf("an empty index has %d hits, %d notes", r.Total, x.Notes())
		}
		for n := range x.Phrase("a") {
			t.Errorf("an empty index mentions in %d", n)
		}
	}
	if x := (&zero).With([]Note{{ID: 3}}, nil); x.Notes() != 1 || x.Blocks() != 0 {
		t.Errorf("%d notes, %d blocks", x.Notes(), x.Blocks())
	}
}

// Readers of one index, and of those that follow from it, do not disturb one
// another.
func TestConcurrent(t *testing.T) {
	x := library()
	want := x.Search("pear*", Options{Limit: 9})
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() {
			y := x
			for n := range 50 {
				if got := x.Search("pear*", Options{Limit: 9}); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("got %v, want %v", got, want)
				}
				y = y.With([]Note{{ID: NoteID(10 + n%20), Titles: []string{"pear"}}}, []NoteID{NoteID(i)})
				y.Search("pear -x", Options{Limit: 3})
				y.Search("pear nowhere apple", Options{Limit: 3})
			}
		})
	}
	readers.Wait()
}
