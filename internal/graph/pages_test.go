package graph

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"stratum"
)

func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var want []int
	s := sortedOf(want)
	for step := range 6000 {
		x := r.IntN(3000)
		before := func(y int) bool { return y < x }
		at, found := slices.BinarySearch(want, x)
		old, was := s, slices.Collect(s.all())
		switch growing := step < 3000; {
		case found && (!growing || r.IntN(4) == 0):
			s.remove(before)
			want = slices.Delete(slices.Clone(want), at, at+1)
		case found:
			s.replace(x, before)
		case growing:
			s.insert(x, before)
			want = slices.Insert(slices.Clone(want), at, x)
		}
		if step%50 != 0 {
			continue
		}
		if !slices.Equal(slices.Collect(s.all()), want) || s.n != len(want) {
			t.Fatalf("step %d: not what it should hold", step)
		}
		if !slices.Equal(slices.Collect(old.all()), was) {
			t.Fatalf("step %d: the older list changed", step)
		}
		at, _ = slices.BinarySearch(want, x)
		if !slices.Equal(slices.Collect(s.from(before)), want[at:]) {
			t.Fatalf("step %d: from %d is wrong", step, x)
		}
	}
	if len(want) > 700 {
		t.Errorf("%d left; the test should shrink the list", len(want))
	}
}

// TestGrownGraph grows a graph far beyond the tables that it began with.
func TestGrownGraph(t *testing.T) {
	notes := manyNotes(t, 6000, 3)
	g := Build(nil)
	for batch := range slices.Chunk(notes, 500) {
		g, _ = g.With(batch, nil)
	}
	built := Build(notes)
	if got, want := size(g), size(built); got != want {
		t.Errorf("grown graph holds %s, built one %s", got, want)
	}
	if !bytes.Equal(AppendNotes(nil, g), AppendNotes(nil, built)) {
		t.Error("grown and built graph differ")
	}
	for _, n := range notes {
		if id, ok := g.Resolve(stratum.Path{}, n.Path.Stem()); !ok || id != n.ID {
			t.Fatalf("%q resolves to %d, %v", n.Path.Stem(), id, ok)
		}
		same(t, "Inbound", g.Inbound(n.ID), built.Inbound(n.ID))
		same(t, "Targets", g.Targets(n.ID), built.Targets(n.ID))
	}
	d := g.Whole()
	if want := built.Whole(); !slices.Equal(edges(d), edges(want)) || d.EdgeCount < 10_000 {
		t.Errorf("%d edges, built %d", d.EdgeCount, want.EdgeCount)
	}
	var ids []NoteID
	for _, n := range notes {
		ids = append(ids, n.ID)
	}
	g, _ = g.With(nil, ids)
	if got := size(g); got != "0 0 0 0 0 0" {
		t.Errorf("emptied graph holds %s", got)
	}
}

func TestBytes(t *testing.T) {
	notes := manyNotes(t, 3000, 19)
	before := heap()
	g := Build(notes)
	held := float64(heap()) - float64(before)
	got := float64(g.Bytes())
	if got < 0.7*held || got > 1.4*held {
		t.Errorf("Bytes() = %.0f, the heap grew by %.0f", got, held)
	}
	g.Complete(KindBacklink, "x", 1)
	if float64(g.Bytes()) < got+3000*50 {
		t.Error("Bytes() leaves out what completion keeps")
	}
	runtime.KeepAlive(notes)
}

func TestReadersBesideWriters(t *testing.T) {
	notes := manyNotes(t, 300, 5)
	g := Build(notes)
	want := describeSome(g)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			next := g
			for i := range 20 {
				x := notes[(worker*97+i*7)%len(notes)]
				x.Title, x.Links = fmt.Sprint("Changed ", worker, i), x.Links[1:]
				next, _ = next.With([]Note{x}, []NoteID{NoteID(i)})
				if describeSome(g) != want {
					t.Error("a graph changed under its readers")
				}
			}
		})
	}
	all.Wait()
}

func describeSome(g *Graph) string {
	return fmt.Sprint(g.Complete(KindPage, "sub", 3), g.Complete(KindBacklink, "miss", 3), g.Complete(KindTag, "a", 3),
		g.TagHits("area/7"), edges(g.Neighbourhood(5, 1)), g.Inbound(5), g.Targets(5))
}
