package graph

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"stratum"
)

// manyNotes returns n notes in folders with perNote links each, some of them
// labelled and one in 50 to no note, and a few of 500 tags.
func manyNotes(tb testing.TB, n, perNote int) []Note {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	name := func(i int) string { return fmt.Sprintf("Note about subject %d", i) }
	notes := make([]Note, n)
	for i := range notes {
		x := Note{
			ID: NoteID(i), Blocks: 10,
			Path: mustPath(tb, fmt.Sprintf("folder %d/sub/%s", i%97, name(i))),
		}
		if i%3 == 0 {
			x.Title = fmt.Sprintf("Subject %d: the Title", i)
			x.Aliases = []string{fmt.Sprintf("s%d", i)}
		}
		for j := range 3 {
			x.Tags = append(x.Tags, fmt.Sprintf("area/%d", (i*7+j*131)%500))
			x.TagAt = append(x.TagAt, TagAt{int32(j), int32(j) - 1})
		}
		for j := range perNote {
			l := Link{Target: name(r.IntN(n)), Block: int32(j % 10)}
			switch {
			case j%50 == 49:
				l.Target = fmt.Sprintf("Missing %d", r.IntN(n))
			case j%10 == 0:
				l.Display = fmt.Sprintf("label %d", r.IntN(1000))
			}
			x.Links = append(x.Links, l)
		}
		notes[i] = x
	}
	return notes
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			notes := manyNotes(b, n, 19)
			before := heap()
			var g *Graph
			for b.Loop() {
				g = Build(notes)
			}
			b.ReportMetric(float64(int(heap())-int(before))/1e6, "MB-held")
			runtime.KeepAlive(notes)
			b.ReportMetric(float64(g.Bytes())/1e6, "MB-estimated")
		})
	}
}

func BenchmarkWith(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		notes := manyNotes(b, n, 19)
		g := Build(notes)
		run := func(name string, change func(i int, x *Note)) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				next := g
				for i := 0; b.Loop(); i++ {
					x := notes[i*31%n]
					change(i, &x)
					next, _ = next.With([]Note{x}, nil)
				}
			})
		}
		run("text", func(i int, x *Note) { x.Blocks += i % 5 })
		run("links", func(i int, x *Note) {
			x.Links = append([]Link{{Target: fmt.Sprint("Note about subject ", i%n)}}, x.Links[1:]...)
		})
		run("tags", func(i int, x *Note) { x.Tags = []string{fmt.Sprint("area/", i%500), "all"}; x.TagAt = nil })
		run("rename", func(i int, x *Note) { x.Path = mustPath(b, fmt.Sprintf("other/%d", i)) })
		run("create", func(i int, x *Note) {
			x.ID = NoteID(n + i)
			x.Path = mustPath(b, fmt.Sprintf("new/Missing %d", i))
		})
	}
}

func BenchmarkQueries(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		g := Build(manyNotes(b, n, 19))
		sparse := Build(manyNotes(b, n, 3))
		run := func(name string, f func(i int)) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					f(i)
				}
			})
		}
		run("Resolve", func(i int) { g.Resolve(stratum.Path{}, fmt.Sprint("note about subject ", i%n)) })
		run("Lookup", func(i int) { g.Lookup(g.slots.get(NoteID(i % n)).note.path) })
		run("Inbound", func(i int) { g.Inbound(NoteID(i % n)) })
		run("TagHits", func(i int) { g.TagHits(fmt.Sprint("area/", i%500)) })
		run("TagHits-all", func(i int) { g.TagHits("area") })
		run("Neighbourhood-2-of-19", func(i int) { g.Neighbourhood(NoteID(i%n), 2) })
		run("Neighbourhood-2-of-3", func(i int) { sparse.Neighbourhood(NoteID(i%n), 2) })
		run("Whole", func(i int) { g.Whole() })
		for _, q := range []string{"subject 42", "zebra", "nas7", "s"} {
			run("Complete-"+q, func(i int) { g.Complete(KindPage, q, 10) })
		}
		run("Complete-tag", func(i int) { g.Complete(KindTag, "area/4", 10) })
		run("Complete-backlink", func(i int) { g.Complete(KindBacklink, "missing 42", 10) })
		run("Complete-after-With", func(i int) {
			next, _ := g.With(nil, []NoteID{NoteID(i % n)})
			next.Complete(KindPage, "subject 42", 10)
		})
	}
}

func BenchmarkEncoding(b *testing.B) {
	g := Build(manyNotes(b, 10_000, 19))
	buf := AppendNotes(nil, g)
	b.Run("AppendNotes", func(b *testing.B) {
		b.SetBytes(int64(len(buf)))
		for b.Loop() {
			AppendNotes(nil, g)
		}
	})
	b.Run("DecodeNotes", func(b *testing.B) {
		b.SetBytes(int64(len(buf)))
		for b.Loop() {
			if _, err := DecodeNotes(buf); err != nil {
				b.Fatal(err)
			}
		}
	})
}
