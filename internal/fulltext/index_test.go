package fulltext

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// words are few, so that random notes share them; some nest as prefixes.
var words = strings.Fields("a an ant alpha Alpine beta betán gamma GAMMA straße strasse v2 2024 05 foo-bar " +
	"foo_bar it's 東京 東京都 京都 都 か カレー 학교 학교에서 e\u0301te été x y z the the the of of")

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString([]string{" ", " ", " ", ", ", "\n", "", "-"}[r.IntN(7)])
	}
	return b.String()
}

func randomNote(r *rand.Rand, id NoteID) Note {
	n := Note{ID: id}
	for range r.IntN(3) {
		n.Titles = append(n.Titles, randomText(r, 3))
	}
	for range r.IntN(5) {
		n.Blocks = append(n.Blocks, Block{Text: randomText(r, 12), Heading: r.IntN(5) == 0})
	}
	return n
}

func randomQuery(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		w := words[r.IntN(len(words))]
		switch r.IntN(8) {
		case 0:
			w = `"` + w + " " + words[r.IntN(len(words))] + `"`
		case 1:
			w = string([]rune(w)[:1+r.IntN(len([]rune(w)))]) + "*"
		case 2:
			w = "-" + w
		case 3:
			w = w + "-" + words[r.IntN(len(words))][:1] + "*"
		case 4:
			w = `-"` + w + ` ` + words[r.IntN(len(words))] + `"`
		}
		b.WriteString(w)
		b.WriteString([]string{" ", " ", "  ", "\n", ""}[r.IntN(5)])
	}
	return b.String()
}

// byName is an order that is not that of the ids.
func byName(a, b NoteID) int { return cmp.Compare(a*7919%101, b*7919%101) }

// same fails the test unless x answers q as o does, page by page.
func same(t *testing.T, x *Index, o *oracle, q string, r *rand.Rand) {
	t.Helper()
	want := o.search(q, byName)
	got := x.Search(q, Options{Limit: 1 << 20, Order: byName})
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("query %q (-want +got):\n%s", q, diff)
	}
	for i, h := range got.Hits {
		if h.Score <= 0 || h.Score > 1 || i > 0 && h.Score > got.Hits[i-1].Score {
			t.Fatalf("query %q: hit %d has score %v after %v", q, i, h.Score, got.Hits[max(i-1, 0)].Score)
		}
	}
	offset, limit := r.IntN(len(got.Hits)+2), r.IntN(4)
	page := x.Search(q, Options{Offset: offset, Limit: limit, Order: byName})
	from := min(offset, len(got.Hits))
	part := got.Hits[from:min(from+limit, len(got.Hits))]
	if page.Total != got.Total || !slices.Equal(page.Hits, part) {
		t.Fatalf("query %q, offset %d, limit %d: got %v of %d, want %v of %d", q, offset, limit, page.Hits, page.Total, part, got.Total)
	}
}

func samePhrase(t *testing.T, x *Index, o *oracle, name string) {
	t.Helper()
	var got []Hit
	for n, b := range x.Phrase(name) {
		got = append(got, Hit{Note: n, Block: b})
	}
	want := o.phrase(name)
	order := func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Note, b.Note), a.Block-b.Block) }
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if !slices.Equal(got, want) {
		t.Fatalf("phrase %q: got %v, want %v", name, got, want)
	}
}

// Whatever way the notes came in, changed and went, the answers are those of
// looking at each of them.
func TestHistories(t *testing.T) {
	for seed := range uint64(150) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			o := &oracle{notes: map[NoteID]Note{}}
			b := NewBuilder()
			for range r.IntN(20) {
				n := randomNote(r, NoteID(r.IntN(30)))
				o.notes[n.ID] = n
				b.Add(n)
			}
			x := b.Index()
			for range 1 + r.IntN(30) {
				old, before := x, x.Search("the", Options{Limit: 100})
				switch r.IntN(8) {
				case 0:
					x = x.Compact()
				case 1:
					bin, err := x.AppendBinary(nil)
					if err != nil {
						t.Fatal(err)
					}
					if x, err = Decode(bin); err != nil {
						t.Fatal(err)
					}
				default:
					var changed []Note
					var removed []NoteID
					for range r.IntN(3) {
						removed = append(removed, NoteID(r.IntN(30)))
						delete(o.notes, removed[len(removed)-1])
					}
					for range r.IntN(3) {
						n := randomNote(r, NoteID(r.IntN(30)))
						changed = append(changed, n)
						o.notes[n.ID] = n
					}
					x = x.With(changed, removed)
				}
				if after := old.Search("the", Options{Limit: 100}); !gocmp.Equal(before, after) {
					t.Fatal("the old index changed")
				}
				same(t, x, o, randomQuery(r), r)
			}
			blocks := 0
			for _, n := range o.notes {
				blocks += len(n.Blocks)
			}
			if x.Notes() != len(o.notes) || x.Blocks() != blocks {
				t.Errorf("%d notes and %d blocks, want %d and %d", x.Notes(), x.Blocks(), len(o.notes), blocks)
			}
			if x.Segments() > segmentsMax {
				t.Errorf("%d segments", x.Segments())
			}
			for range 30 {
				same(t, x, o, randomQuery(r), r)
				samePhrase(t, x, o, words[r.IntN(len(words))]+" "+words[r.IntN(len(words))])
				samePhrase(t, x, o, words[r.IntN(len(words))])
			}
		})
	}
}
