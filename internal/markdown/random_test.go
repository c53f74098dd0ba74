package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// fragments are what notes are made of where parsers go wrong.
var fragments = []string{
	"#a", " #a ", "\n#a ", "(#a)", "#b", "#a/b", "#A", " ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "- ", "* ", "1. ", "> ", "# ", "## ", "```", "~~~", "`", "``",
	"[[x]]", "[[", "]]", "[x](", ")", "(", "x", "y z", "%%", "<!--", "-->", "<div>", "</div>", "<i ", ">", "\\", "---", "===", "\n---\n",
	"| a |", "\n|-|\n", "|", "TODO ", ".id: ", ".k: v", ":", "!", ".", ",", "é", "🙂", bom, "\u00a0", "\xff", "[^1]:", "[r]:",
	"tags: a\n", "tags: [a, b]\n", "tags:\n- a\n- b\n", "tags:\n", "tag: a\n", "title: x\n", "    - ", "\n- ", "\n  ", "\n  - ", "\n> ",
}

// TestRandomNotes holds random notes against the promises of Parse, AddTag
// and RemoveTag.
func TestRandomNotes(t *testing.T) {
	seeds := uint64(4000)
	if testing.Short() {
		seeds = 1000
	}
	some := func(r *rand.Rand, b *strings.Builder, n int) {
		for range n {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
	}
	removed := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		if r.IntN(4) == 0 {
			b.WriteString("---\n")
			some(r, &b, r.IntN(5))
			b.WriteString("\n---\n")
		}
		some(r, &b, 1+r.IntN(14))
		src := b.String()
		if err := checkNote(src, Parse(src)); err != nil {
			t.Fatalf("Parse(%q): %v", src, err)
		}
		out := checkRemove(t, src, "a")
		if out != src {
			removed++
		}
		checkAdd(t, out, "a")
		checkAdd(t, src, "1")
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if removed < int(seeds)/20 {
		t.Errorf("only %d of %d notes had the tag", removed, seeds)
	}
}
