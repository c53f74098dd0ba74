package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"stratum"
)

// What random vaults are made of: few names, so that they collide.
var (
	someDirs    = []string{"", "", "a/", "A/", "a/b/", "c d/", "café/", "cafe\u0301/"}
	someStems   = []string{"x", "X", "x y", "x-y", "x%20y", "é", "e\u0301", "É", "x.md", "a.b", "🚀", "index", "İ", "ß", "100%"}
	someTitles  = []string{"", "", "x", "X Y", "Title", "title", "x-y", "É", " y "}
	someTargets = []string{
		"x", "X", "x.md", "x.MD", "x y", "x-y", "X-Y.md", "x%20y", "x%20y.md", "a/x", "A/x", "b/x", "a/b/x", "./x", "../x",
		"./x%20y", "../../x", "é", "É", "e\u0301", "café/x", "c d/x", "c-d/x", "c%20d/x", "title", "TITLE", "y", "alias", "Alias",
		"new", "New", "", "ss", "i\u0307", "a.b", "🚀", "100%", "index", "/x", "a//x", ".md", "x#h", "#h", "x^1",
	}
	someTags   = []string{"t", "T", "t/u", "T/V", "tt", "t/u/v", "é", "É", "e\u0301", "x"}
	someLabels = []string{"", "", "shown", "Shown"}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func several[T comparable](r *rand.Rand, most int, from []T) []T {
	var out []T
	for range r.IntN(most + 1) {
		if x := pick(r, from); !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func randomNote(t *testing.T, r *rand.Rand, id NoteID) Note {
	n := Note{
		ID: id, Path: mustPath(t, pick(r, someDirs)+pick(r, someStems)), Title: pick(r, someTitles),
		Aliases: several(r, 2, []string{"alias", "Alias", "x", "x y", "ss", " É"}),
		Tags:    several(r, 3, someTags), Blocks: r.IntN(4),
	}
	block := func() int32 { return int32(r.IntN(n.Blocks+1)) - 1 }
	for i := range n.Tags {
		n.TagAt = append(n.TagAt, TagAt{int32(i), block()})
		n.TagAt = append(n.TagAt, TagAt{int32(i), block()})
	}
	for range r.IntN(6) {
		n.Links = append(n.Links, Link{pick(r, someTargets), pick(r, someLabels), block()})
	}
	return n
}

// describe gives every answer of g.
func describe(t *testing.T, g *Graph) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("len %d blocks %d", g.Len(), g.Blocks())
	dirs := map[string]stratum.Path{"": {}}
	for id := range g.All() {
		v, _ := g.Note(id)
		dirs[v.Path().Dir()] = v.Path()
		found, ok := g.Lookup(v.Path())
		say("%d %q %q %q %q %q %d lookup %d %v", id, v.Path(), v.Title(), v.Aliases(), v.Tags(), v.Names(), v.Blocks(), found, ok)
		say(" targets %q inbound %v %d", g.Targets(id), g.Inbound(id), g.InboundCount(id))
		for depth := range 4 {
			d := g.Neighbourhood(id, depth)
			say(" around %d: %v %v", depth, nodes(d), edges(d))
		}
	}
	d := g.Whole()
	say("whole: %d %d %v %v", d.NodeCount, d.EdgeCount, nodes(d), edges(d))
	for _, dir := range []string{"", "a", "a/b"} {
		for _, target := range someTargets {
			id, ok := g.Resolve(dirs[dir], target)
			say("%q in %q: %d %v", target, dir, id, ok)
		}
	}
	say("tags %v", g.Tags())
	for _, tag := range someTags {
		say(" %q %v", tag, g.TagHits(tag))
	}
	for _, kind := range []string{KindPage, KindTag, KindBacklink} {
		for _, q := range []string{"x", "é", "xy", "t", "ne", "a/x", ""} {
			say("%s %q %v", kind, q, g.Complete(kind, q, 100))
		}
	}
	say("bytes %x", AppendNotes(nil, g))
	return b.String()
}

// size counts what a graph holds, to show what it fails to forget.
func size(g *Graph) string {
	targets, sources, in := 0, 0, 0
	g.targets.each(func(_ uint32, t *target) {
		if t.name != nil {
			targets++
		}
		sources += len(t.sources)
	})
	g.slots.each(func(_ NoteID, s *slot) { in += len(s.in) })
	return fmt.Sprint(g.names.count, g.wants.count, targets, sources, in, g.tags.n)
}

// destinations returns where each link of the note leads.
func destinations(g *Graph, n *note) []string {
	var out []string
	for _, l := range n.links {
		t := g.targets.get(l.target)
		out = append(out, g.path(t.to, t.found))
	}
	return out
}

func TestWithEqualsBuild(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 2))
			notes := map[NoteID]Note{}
			g := Build(nil)
			for step := range 40 {
				changed, removed := randomStep(t, r, notes, step, seed == 0 && step > 30)
				before, answers := g, ""
				if step%10 == 9 {
					answers = describe(t, before)
				}
				next, relinked := g.With(changed, removed)
				compareWithBuild(t, r, next, notes)
				checkRelinked(t, before, next, changed, removed, relinked)
				checkExhaustively(t, next)
				if answers != "" && describe(t, before) != answers {
					t.Fatalf("step %d: With changed the graph it came from", step)
				}
				if t.Failed() {
					t.Fatalf("step %d", step)
				}
				if step%7 != 6 { // now and then go on from the older graph
					g = next
					continue
				}
				clear(notes)
				decoded, err := DecodeNotes(AppendNotes(nil, before))
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range decoded {
					notes[n.ID] = n
				}
			}
		})
	}
}

// randomStep changes notes and says how. Sparse lets ids be far apart.
func randomStep(t *testing.T, r *rand.Rand, notes map[NoteID]Note, step int, sparse bool) (changed []Note, removed []NoteID) {
	size := 1 + r.IntN(3)
	if step%20 == 19 {
		size = 40
	}
	for range size {
		id := NoteID(r.IntN(30))
		if sparse && r.IntN(4) == 0 {
			id = 1<<32 - 1 - NoteID(r.IntN(3))
		}
		if r.IntN(3) == 0 {
			removed = append(removed, id)
			if !slices.ContainsFunc(changed, func(n Note) bool { return n.ID == id }) {
				delete(notes, id)
			}
			continue
		}
		n := randomNote(t, r, id)
		if old, ok := notes[id]; ok && r.IntN(2) == 0 {
			n.Path, n.Title, n.Aliases = old.Path, old.Title, old.Aliases
		}
		taken := false
		for other, o := range notes {
			taken = taken || other != id && o.Path == n.Path
		}
		if taken {
			continue
		}
		changed = append(changed, n)
		notes[id] = n
	}
	return changed, removed
}

func compareWithBuild(t *testing.T, r *rand.Rand, g *Graph, notes map[NoteID]Note) {
	t.Helper()
	var all []Note
	for _, n := range notes {
		all = append(all, n)
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	built := Build(all)
	got, want := describe(t, g), describe(t, built)
	if got != want {
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("With differs from Build:\nwith  %s\nbuild %s", a[i], b[i])
			}
		}
		t.Fatal("With differs from Build in length")
	}
	if got, want := size(g), size(built); got != want {
		t.Errorf("With holds %s, Build %s", got, want)
	}
	decoded, err := DecodeNotes(AppendNotes(nil, g))
	if err != nil {
		t.Fatal(err)
	}
	if describe(t, Build(decoded)) != want {
		t.Error("decoded notes make another graph")
	}
}

// checkRelinked compares relinked with where links led before and after.
func checkRelinked(t *testing.T, before, after *Graph, changed []Note, removed, relinked []NoteID) {
	t.Helper()
	own := slices.Clone(removed)
	for _, n := range changed {
		own = append(own, n.ID)
	}
	want := []NoteID{}
	after.slots.each(func(id NoteID, s *slot) {
		old := before.slots.get(id).note
		if s.note == nil || slices.Contains(own, id) {
			return
		}
		if !slices.Equal(destinations(before, old), destinations(after, s.note)) {
			want = append(want, id)
		}
	})
	same(t, "relinked", relinked, want)
}

// checkExhaustively compares each target's note with the best of all notes.
func checkExhaustively(t *testing.T, g *Graph) {
	t.Helper()
	for _, target := range someTargets {
		for _, dir := range []string{"", "a", "a/b"} {
			page := pageOf(target)
			q := queryOf(page, dir)
			var want candidate
			for id := range g.All() {
				if c := g.candidate(&q, id); c.better(&want) {
					want = c
				}
			}
			var from stratum.Path
			if dir != "" {
				from = mustPath(t, dir+"/from")
			}
			id, ok := g.Resolve(from, target)
			if ok != (want.rule != 0) || id != want.id {
				t.Errorf("%q in %q resolves to %q, the best of all is %q", target, dir, g.path(id, ok), g.path(want.id, want.rule != 0))
			}
		}
	}
}
