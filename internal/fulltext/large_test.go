package fulltext

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// largeNote has words of all frequencies, so that its lists have many blocks.
func largeNote(r *rand.Rand, id NoteID) Note {
	word := func() string { return fmt.Sprintf("w%d", int(1/(r.Float64()+0.001))) }
	n := Note{ID: id, Titles: []string{word() + " " + word()}}
	for range r.IntN(8) {
		var b strings.Builder
		for range r.IntN(200) {
			b.WriteString(word())
			b.WriteByte(' ')
		}
		n.Blocks = append(n.Blocks, Block{Text: b.String(), Heading: r.IntN(6) == 0})
	}
	return n
}

var largeQueries = []string{
	"w1", "w2", "w7", "w300", "w1 w2", "w1 w40 w3", "w300 w1", `"w1 w2"`, `"w1 w1 w3"`, "w9*", "w1*", "w*",
	"w1 -w2", "w300 -w1", "w2 -\"w1 w1\"", "w1-w9*", "w1-w*", "w1 w20 nowhere", "w300 w301 w302", "-w* w1",
	"w1 w2 w3 w4 w5 w6 w7 w8 w9", "w5* w6*", "w50 -w1*",
}

// A large index answers as the notes themselves do.
func TestLargeOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	o := &oracle{notes: map[NoteID]Note{}}
	b := NewBuilder()
	for id := range NoteID(250) {
		n := largeNote(r, id)
		o.notes[id] = n
		b.Add(n)
	}
	x := b.Index()
	for id := NoteID(0); id < 250; id += 5 {
		n := largeNote(r, id)
		o.notes[id] = n
		x = x.With([]Note{n}, []NoteID{id + 1})
		delete(o.notes, id+1)
	}
	for _, q := range largeQueries {
		same(t, x, o, q, r)
	}
	samePhrase(t, x, o, "w1 w2")
	samePhrase(t, x, o, "w3")
}

// An index that grew by changes answers, to the last bit, as one that was
// built of the same notes in another order.
func TestLargeHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	notes := map[NoteID]Note{}
	x := NewBuilder().Index()
	for i := range 400 {
		var changed []Note
		var removed []NoteID
		for range 1 + r.IntN(6) {
			changed = append(changed, largeNote(r, NoteID(r.IntN(600))))
		}
		if r.IntN(3) == 0 {
			removed = append(removed, NoteID(r.IntN(600)))
		}
		for _, id := range removed {
			delete(notes, id)
		}
		for _, n := range changed {
			notes[n.ID] = n
		}
		x = x.With(changed, removed)
		if x.NeedsCompaction() && i%2 == 0 {
			x = x.Compact()
		}
	}
	b := NewBuilder()
	for _, n := range notes { // in any order
		b.Add(n)
	}
	fresh := b.Index()
	if x.Notes() != fresh.Notes() || x.Blocks() != fresh.Blocks() || x.Notes() != len(notes) {
		t.Fatalf("%d notes and %d blocks, want %d and %d", x.Notes(), x.Blocks(), fresh.Notes(), fresh.Blocks())
	}
	bin, err := x.AppendBinary([]byte("ahead")) // appended, not replaced
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := Decode(bin[len("ahead"):])
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range largeQueries {
		want := fresh.Search(q, Options{Limit: 1 << 20, Order: byName})
		for name, y := range map[string]*Index{"changed": x, "compact": x.Compact(), "decoded": decoded} {
			if diff := gocmp.Diff(want, y.Search(q, Options{Limit: 1 << 20, Order: byName})); diff != "" {
				t.Fatalf("%s: query %q (-want +got):\n%s", name, q, diff)
			}
		}
	}
}

// Batches that are inverted beside one another come together as one index.
func TestManyBatches(t *testing.T) {
	b := NewBuilder()
	text := strings.Repeat("common words repeat ", 20000)
	for id := range NoteID(40) {
		b.Add(Note{ID: id % 35, Titles: []string{fmt.Sprintf("title%d", id)}, Blocks: []Block{{Text: text}, {Text: fmt.Sprintf("rare%d", id)}}})
	}
	x := b.Index()
	if x.Notes() != 35 || x.Blocks() != 70 || x.Segments() != 1 {
		t.Errorf("%d notes, %d blocks, %d segments, want 35, 70, 1", x.Notes(), x.Blocks(), x.Segments())
	}
	for q, want := range map[string]int{"common": 35, "rare39": 1, "rare4": 0, "title4": 0, "title39": 1, `"repeat common"`: 35} {
		if r := x.Search(q, Options{}); r.Total != want || r.Relaxed {
			t.Errorf("%s: %d hits, want %d", q, r.Total, want)
		}
	}
	b.Add(Note{ID: 1, Blocks: []Block{{Text: "anew"}}})
	if y := b.Index(); y.Notes() != 1 || y.Search("common", Options{}).Total != 0 {
		t.Error("the builder kept notes of the index before")
	}
}

// Large segments are left alone by small changes, and their deleted notes go
// when they are many.
func TestDeletedNotesGo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	b := NewBuilder()
	for id := range NoteID(1000) {
		b.Add(largeNote(r, id))
	}
	x := b.Index()
	full := x.Bytes()
	var gone []NoteID
	for id := range NoteID(400) {
		gone = append(gone, id)
	}
	x = x.With(nil, gone)
	if !x.NeedsCompaction() {
		t.Error("no need to compact after 400 of 1000 notes went")
	}
	if x = x.Compact(); x.NeedsCompaction() || x.Bytes() > full*8/10 || x.Notes() != 600 {
		t.Errorf("%d bytes for %d notes after compaction, %d before", x.Bytes(), x.Notes(), full)
	}
	for id := range NoteID(400) {
		gone[id] = id + 400
	}
	if x = x.With(nil, gone); x.NeedsCompaction() || x.Bytes() > full*4/10 || x.Notes() != 200 {
		t.Errorf("%d bytes for %d notes after most went, %d before", x.Bytes(), x.Notes(), full)
	}
}
