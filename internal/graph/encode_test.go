package graph

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestDecodeCorrupt(t *testing.T) {
	g := linked(t)
	g, _ = g.With(vault(t, "tagged.md | T | one, two | x, y | hub"), nil)
	good := AppendNotes([]byte("before"), g)[len("before"):]
	notes, err := DecodeNotes(good)
	if err != nil || !bytes.Equal(AppendNotes(nil, Build(notes)), good) {
		t.Fatalf("round trip: %v", err)
	}
	for i := range good {
		if _, err := DecodeNotes(good[:i]); !errors.Is(err, errCorrupt) {
			t.Errorf("first %d bytes of %d: %v", i, len(good), err)
		}
	}
	if _, err := DecodeNotes(append(bytes.Clone(good), 0)); !errors.Is(err, errCorrupt) {
		t.Errorf("a byte more: %v", err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		bad := bytes.Clone(good)
		for range 1 + r.IntN(3) {
			bad[r.IntN(len(bad))] = byte(r.Uint32())
		}
		checkDecode(t, bad)
	}
}

// checkDecode holds that whatever decodes makes a graph that encodes to
// something that decodes to the same graph.
func checkDecode(t *testing.T, buf []byte) {
	t.Helper()
	notes, err := DecodeNotes(buf)
	if err != nil {
		return
	}
	g := Build(notes)
	again, err := DecodeNotes(AppendNotes(nil, g))
	if err != nil {
		t.Fatalf("%x: decoded, encoded, and then: %v", buf, err)
	}
	if !bytes.Equal(AppendNotes(nil, g), AppendNotes(nil, Build(again))) {
		t.Fatalf("%x: another graph the second time", buf)
	}
}

func TestDecodeBareNotes(t *testing.T) {
	for _, names := range [][]string{{}, {"a"}, {"a", "b", "c"}} {
		notes, err := DecodeNotes(AppendNotes(nil, Build(vault(t, names...))))
		if err != nil || len(notes) != len(names) {
			t.Errorf("%d notes: got %d, %v", len(names), len(notes), err)
		}
	}
}

func FuzzDecodeNotes(f *testing.F) {
	f.Add(AppendNotes(nil, Build(nil)))
	f.Add(AppendNotes(nil, linked(f)))
	f.Add(AppendNotes(nil, Build(vault(f, "x/y.md | T | one, two | x, y | y, z"))))
	f.Fuzz(checkDecode)
}

func TestNotesKeepNoForeignMemory(t *testing.T) {
	buf := []byte("TitleAliasTagTargetShown")
	s := string(buf)
	g := Build([]Note{{
		Path: mustPath(t, "a"), Title: s[:5], Aliases: []string{s[5:10]}, Tags: []string{s[10:13]}, Blocks: 1,
		Links: []Link{{s[13:19], s[19:], 0}},
	}})
	n := g.slots.get(0).note
	name := g.targets.get(n.links[0].target).name
	for _, kept := range []string{n.title, n.aliases[0], n.tags[0], name.page, *n.links[0].shown, g.tags.leaves[0][0].spellings[0].text} {
		if shares(kept, s) {
			t.Errorf("%q shares the note's text", kept)
		}
	}
}

// shares reports whether part lies in the memory of whole.
func shares(part, whole string) bool {
	p, w := uintptr(unsafe.Pointer(unsafe.StringData(part))), uintptr(unsafe.Pointer(unsafe.StringData(whole)))
	return p >= w && p < w+uintptr(len(whole))
}
