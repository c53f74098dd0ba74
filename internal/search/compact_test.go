package search_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"stratum"
	"stratum/internal/search"
)

// TestCompactionLosesNothing publishes before, while and after the full text
// is rewritten, and replaces the index under a rewriting.
func TestCompactionLosesNothing(t *testing.T) {
	notes := make(map[string]search.Doc)
	b := search.NewBuilder()
	note := func(n int, word string) search.Doc {
		blocks := make([]string, 60)
		for i := range blocks {
			blocks[i] = fmt.Sprintf("%s %d water", word, i)
		}
		d := doc(t, fmt.Sprintf("n%d", n), "", blocks...)
		notes[d.Path.String()] = d
		return d
	}
	for n := range 60 {
		b.Add(note(n, "soil"))
	}
	x := search.New()
	x.Replace(b.Snapshot())
	seen := false
	for n := range 40 {
		put(x, []search.Doc{note(n, "moon")})
		seen = seen || search.Compacting(x)
	}
	if !seen {
		t.Error("the full text is never rewritten, whatever is deleted from it")
	}
	gone, _ := stratum.ParsePath("n7")
	put(x, nil, gone)
	delete(notes, gone.String())
	for end := time.Now().Add(10 * time.Second); search.Compacting(x); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the rewriting does not end")
		}
	}
	b = search.NewBuilder()
	for _, d := range notes {
		b.Add(d)
	}
	fresh := b.Snapshot()
	if got, want := everything(x.Snapshot()), everything(fresh); got != want {
		t.Errorf("after rewriting\n%s\nbuilt at once\n%s", got, want)
	}
	x.Replace(fresh)
	for n := 0; !search.Compacting(x) && n < 60; n++ {
		put(x, []search.Doc{note(n, "sun")})
	}
	x.Replace(fresh)
	if search.Compacting(x) {
		t.Error("a rewriting of the old index is to take the place of the new one")
	}
}

// TestABuilderKeepsNoText: what is built from a note must not hold its source.
func TestABuilderKeepsNoText(t *testing.T) {
	d := doc(t, "a", "", "see [[target]] #tag")
	d.Note.Aliases = []string{d.Text[:3]}
	before := *d.Note
	b := search.NewBuilder()
	b.Add(d)
	if got := d.Note.Aliases[0]; got != "see" || before.Links[0].Target != "target" {
		t.Errorf("the note that was added is now %+v", d.Note)
	}
	s := b.Snapshot()
	if got := s.Complete("page", "see", 9); len(got) != 1 {
		t.Errorf("the alias completes to %+v", got)
	}
	if got := s.Complete("backlink", "target", 9); len(got) != 1 {
		t.Errorf("the target completes to %+v", got)
	}
	if r := s.ByTag("tag", 9); r.Total != 1 {
		t.Errorf("the tag is on %d blocks", r.Total)
	}
}

func TestAPanicWhileStagingLeavesNoLock(t *testing.T) {
	x := search.New()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		x.Stage([]search.Doc{{Note: nil}}, nil)
	}()
	s := x.Stage([]search.Doc{doc(t, "a", "", "words")}, nil)
	defer s.Discard()
	s.Publish()
	if x.Snapshot().Len() != 1 {
		t.Error("nothing was published")
	}
}

func TestSumTellsFilesApart(t *testing.T) {
	x := search.New()
	seen := make(map[uint64]bool)
	for i := range 3 {
		var file bytes.Buffer
		saved, err := x.Snapshot().Save(&file)
		if err != nil {
			t.Fatal(err)
		}
		read, err := search.Sum(&file)
		if err != nil || read != saved || read == 0 || seen[read] {
			t.Errorf("file %d: saved %x, read %x, %v", i, saved, read, err)
		}
		seen[read] = true
		put(x, []search.Doc{doc(t, fmt.Sprint("n", i), "", "words")})
	}
	for _, bad := range []string{"", "no index, but longer than the header of one is"} {
		if _, err := search.Sum(bytes.NewReader([]byte(bad))); !errors.Is(err, search.ErrFile) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	x := search.New()
	gone, _ := stratum.ParsePath("gone")
	put(x, nil, gone)
	x.Touch(gone, search.Entry{})
	s := x.Snapshot()
	if _, ok := s.Graph(gone, 1); ok || len(s.Inbound(gone)) != 0 {
		t.Error("a note that is not there has neighbours")
	}
	if places, names := s.Mentionable(gone); places != nil || names != nil {
		t.Error("a note that is not there is mentioned")
	}
	if _, ok := s.Lookup(gone); ok {
		t.Error("a note that is not there is known")
	}
	put(x, []search.Doc{doc(t, "a", "", "the Spade"), doc(t, "b", "", "")})
	for p := range x.Snapshot().All() {
		if p.IsZero() {
			t.Error("a note without a path")
		}
		break
	}
	if start, end, ok := search.Matcher("spade")("the Spade"); !ok || start != 4 || end != 9 {
		t.Errorf("found at %d to %d, %v", start, end, ok)
	}
}
