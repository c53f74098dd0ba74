package search_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"stratum"
	"stratum/internal/search"
)

func doc(t testing.TB, path, title string, blocks ...string) search.Doc {
	t.Helper()
	p, err := stratum.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	d := search.Doc{Path: p, Note: &stratum.Note{Title: title}}
	for i, b := range blocks {
		start := len(d.Text)
		d.Text += b + "\n"
		block := stratum.Block{Span: stratum.Span{Start: start, End: len(d.Text)}, Content: b, Parent: -1, Left: i - 1}
		for w := range strings.FieldsSeq(b) {
			if tag, ok := strings.CutPrefix(w, "#"); ok {
				block.Tags = append(block.Tags, tag)
				d.Note.Tags = append(d.Note.Tags, tag)
			}
			if target, ok := strings.CutPrefix(w, "[["); ok {
				target = strings.TrimSuffix(target, "]]")
				d.Note.Links = append(d.Note.Links, stratum.Link{Target: target, Block: i})
			}
		}
		d.Note.Blocks = append(d.Note.Blocks, block)
	}
	d.Entry = search.Entry{Stamp: stratum.Stamp{Size: int64(len(d.Text)), Modified: 17}, Hash: stratum.HashOf([]byte(d.Text)), Settled: true}
	return d
}

// put publishes docs and removals, and returns the notes whose links moved.
func put(x *search.Index, docs []search.Doc, removed ...stratum.Path) []stratum.Path {
	s := x.Stage(docs, removed)
	s.Publish()
	return s.Relinked
}

func TestStage(t *testing.T) {
	x := search.New()
	put(x, []search.Doc{doc(t, "a", "", "see [[b]] #red")})
	before := x.Snapshot()
	b := doc(t, "b", "", "the second")
	if relinked := put(x, []search.Doc{b}); len(relinked) != 1 || relinked[0].String() != "a.md" {
		t.Errorf("relinked %v, want a.md", relinked)
	}
	if before.Len() != 1 || x.Snapshot().Len() != 2 || x.Snapshot().Blocks() != 2 {
		t.Errorf("before %d, after %d", before.Len(), x.Snapshot().Len())
	}
	if r := before.Search("second", 0, 10); r.Total != 0 {
		t.Error("a snapshot changed under its reader")
	}
	s := x.Stage(nil, []stratum.Path{b.Path})
	s.Discard()
	if _, ok := x.Snapshot().Lookup(b.Path); !ok {
		t.Error("a discarded stage removed a note")
	}
	known, ok := x.Snapshot().Lookup(b.Path)
	if !ok || known.Entry != b.Entry || known.Title != "b" || known.Blocks != 1 {
		t.Errorf("known: %+v", known)
	}
	touched := b.Entry
	touched.Stamp.Modified++
	x.Touch(b.Path, touched)
	if known, _ = x.Snapshot().Lookup(b.Path); known.Entry != touched {
		t.Errorf("touched: %+v", known)
	}
}

func TestTheIDLineIsNotText(t *testing.T) {
	d := doc(t, "a", "", "words")
	d.Text = "words\n  .id: 65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f\n  .due: tomorrow\n"
	d.Note.Blocks[0].Span.End = len(d.Text)
	d.Note.Blocks[0].ID = "65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f"
	x := search.New()
	put(x, []search.Doc{d})
	for query, want := range map[string]int{"65f8a1e2": 0, "tomorrow": 1, "words": 1} {
		if r := x.Snapshot().Search(query, 0, 10); r.Total != want {
			t.Errorf("%q finds %d, want %d", query, r.Total, want)
		}
	}
}

// TestHistoryLeavesNoTrace holds decision 8.7: an index that went through any
// changes answers as one built from the same notes at once.
func TestHistoryLeavesNoTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("soil water sun moon [[n1]] [[n2]] [[n3]] #red #red/dark 日记 garden seed the of and")
	random := func(n int) search.Doc {
		var blocks []string
		for range r.IntN(4) {
			var words []string
			for range 1 + r.IntN(6) {
				words = append(words, vocabulary[r.IntN(len(vocabulary))])
			}
			blocks = append(blocks, strings.Join(words, " "))
		}
		return doc(t, fmt.Sprintf("n%d", n), []string{"", "soil", "the garden"}[r.IntN(3)], blocks...)
	}
	x := search.New()
	notes := make(map[string]search.Doc)
	for step := range 600 {
		d := random(r.IntN(40))
		if r.IntN(3) == 0 {
			put(x, nil, d.Path)
			delete(notes, d.Path.String())
		} else {
			put(x, []search.Doc{d})
			notes[d.Path.String()] = d
		}
		if step%60 != 0 {
			continue
		}
		b := search.NewBuilder()
		for _, d := range notes {
			b.Add(d)
		}
		if got, want := everything(x.Snapshot()), everything(b.Snapshot()); got != want {
			t.Fatalf("after %d steps\n%s\nbuilt at once\n%s", step, got, want)
		}
	}
}

// everything asks a snapshot every kind of question.
func everything(s *search.Snapshot) string {
	var b strings.Builder
	for _, q := range []string{"soil", "the garden", `"soil water"`, "s*", "moon -sun", "日记", "nowhere soil"} {
		fmt.Fprintln(&b, q, s.Search(q, 0, 30))
	}
	for i := range 40 {
		p, _ := stratum.ParsePath(fmt.Sprintf("n%d", i))
		places, names := s.Mentionable(p)
		near, _ := s.Graph(p, 2)
		fmt.Fprintln(&b, p, s.Inbound(p), places, names, near)
	}
	whole, _ := s.Graph(stratum.Path{}, 0)
	to, ok := s.Resolve(stratum.Path{}, "soil")
	fmt.Fprintln(&b, s.ByTag("red", 50), whole, to, ok, s.Complete("page", "n", 50), s.Complete("tag", "r", 9))
	return b.String()
}

func load(file []byte) (*search.Snapshot, error) {
	s, _, err := search.Load(bytes.NewReader(file), int64(len(file)))
	return s, err
}

func TestFile(t *testing.T) {
	x := search.New()
	put(x, []search.Doc{doc(t, "a", "A", "see [[b]] #red"), doc(t, "b", "", "# of", "日记 two"), doc(t, "gone", "")})
	gone, _ := stratum.ParsePath("gone")
	put(x, nil, gone)
	x.Stamp(time.Unix(5, 7))
	var file bytes.Buffer
	if _, err := x.Snapshot().Save(&file); err != nil {
		t.Fatal(err)
	}
	back, err := load(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := everything(back), everything(x.Snapshot()); got != want {
		t.Errorf("loaded\n%s\nsaved\n%s", got, want)
	}
	if !back.IndexedAt.Equal(time.Unix(5, 7)) || back.Bytes() == 0 {
		t.Errorf("indexed at %v", back.IndexedAt)
	}
	for p, e := range x.Snapshot().All() {
		if known, ok := back.Lookup(p); !ok || known.Entry != e {
			t.Errorf("%s: %+v, want %+v", p, known.Entry, e)
		}
	}
	// A note of the loaded index can be replaced, and a free id used again.
	y := search.New()
	y.Replace(back)
	put(y, []search.Doc{doc(t, "c", "", "new"), doc(t, "a", "", "changed")})
	if r := y.Snapshot().Search("new", 0, 9); r.Total != 1 {
		t.Errorf("a note added after loading: %+v", r)
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	x := search.New()
	put(x, []search.Doc{doc(t, "a", "A", "see [[b]] #red"), doc(t, "b", "", "two")})
	var file bytes.Buffer
	if _, err := x.Snapshot().Save(&file); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	for n := range len(good) {
		if _, err := load(good[:n]); !errors.Is(err, search.ErrFile) {
			t.Fatalf("cut at %d: %v", n, err)
		}
		bad := bytes.Clone(good)
		bad[n] ^= 0x41
		if _, err := load(bad); !errors.Is(err, search.ErrFile) {
			t.Fatalf("byte %d changed: %v", n, err)
		}
	}
}

// failing is a writer without room.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestSaveReportsAFullDisk(t *testing.T) {
	if _, err := search.New().Snapshot().Save(failing{}); err == nil {
		t.Error("no error")
	}
}
