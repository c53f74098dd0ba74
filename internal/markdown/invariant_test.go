package markdown

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"stratum"
)

// checkNote holds note, which Parse made of src, against every promise that
// stratum.Note makes about spans.
func checkNote(src string, note *stratum.Note) error {
	at := 0
	gap := func(end int) error {
		g := src[at:end]
		if at == 0 {
			g = strings.TrimPrefix(g, bom)
		}
		if fm := note.FrontmatterSpan; fm.Len() > 0 && at <= fm.Start && fm.End <= end {
			g = strings.TrimPrefix(src[at:fm.Start], bom) + src[fm.End:end]
		}
		if strings.TrimSpace(g) != "" {
			return fmt.Errorf("text outside every block at %d: %q", at, g)
		}
		return nil
	}
	last := map[int]int{}
	for i, b := range note.Blocks {
		if b.Span.Start < at || b.Span.End <= b.Span.Start || b.Span.End > len(src) {
			return fmt.Errorf("block %d: span %v after %d", i, b.Span, at)
		}
		if err := gap(b.Span.Start); err != nil {
			return err
		}
		if b.Span.Start < note.FrontmatterSpan.End {
			return fmt.Errorf("block %d lies in the frontmatter", i)
		}
		at = b.Span.End
		if at < len(src) && src[at-1] != '\n' {
			return fmt.Errorf("block %d ends inside a line", i)
		}
		if b.Parent >= i || b.Parent < -1 {
			return fmt.Errorf("block %d: parent %d", i, b.Parent)
		}
		left, ok := last[b.Parent]
		if !ok {
			left = -1
		}
		if b.Left != left {
			return fmt.Errorf("block %d: left %d, want %d", i, b.Left, left)
		}
		last[b.Parent] = i
	}
	if err := gap(len(src)); err != nil {
		return err
	}
	return checkInline(src, note)
}

func checkInline(src string, note *stratum.Note) error {
	end := 0
	for _, c := range note.Code {
		if c.Start < end || c.End <= c.Start || c.End > len(src) {
			return fmt.Errorf("code span %v after %d", c, end)
		}
		end = c.End
	}
	at, runes := 0, 0
	for _, l := range note.Links {
		text := src[l.Span.Start:l.Span.End]
		if l.Span.Start < at || !strings.HasPrefix(text, "[[") || !strings.HasSuffix(text, "]]") || strings.Contains(text, "\n") {
			return fmt.Errorf("link %+v is %q", l, text)
		}
		runes += utf8.RuneCountInString(src[at:l.Span.Start])
		at = l.Span.Start
		if l.Position != runes {
			return fmt.Errorf("link %q: position %d, want %d", text, l.Position, runes)
		}
		if l.Target == "" || l.Target != strings.TrimSpace(l.Target) {
			return fmt.Errorf("link %q: target %q", text, l.Target)
		}
		if l.Embed != (at > 0 && src[at-1] == '!' && !isEscaped(src, 0, at-1)) {
			return fmt.Errorf("link %q: embed %v", text, l.Embed)
		}
		if (l.Block == -1) != (l.Span.Start < note.FrontmatterSpan.End) {
			return fmt.Errorf("link %q: block %d", text, l.Block)
		}
		if l.Block >= 0 {
			if b := note.Blocks[l.Block].Span; l.Span.Start < b.Start || l.Span.End > b.End {
				return fmt.Errorf("link %q is not in block %d", text, l.Block)
			}
		}
		for _, c := range note.Code {
			if c.Start <= l.Span.Start && l.Span.Start < c.End {
				return fmt.Errorf("link %q stands in code", text)
			}
		}
	}
	seen := map[string]bool{}
	for _, t := range note.Tags {
		if t == "" || seen[foldTag(t)] {
			return fmt.Errorf("tag %q is empty or twice in %q", t, note.Tags)
		}
		seen[foldTag(t)] = true
	}
	for i, t := range note.FrontmatterTags {
		if note.Tags[i] != t {
			return fmt.Errorf("tags %q do not begin with %q", note.Tags, note.FrontmatterTags)
		}
	}
	return nil
}

var oddities = []string{
	"", "\n", "\ufeff", "---", "---\n---", "\ufeff\n---\ntags: a\n---\n- x", "- ", "-", "-\n-\nx", "```", "- ```\nx", "> ```\n> x\ny",
	"a\n===\nb\n---\n", "[[a|b]] [[[c]]] [[d [[e]] f]] [[\n]] ![[g]] \\[[h]]", "`a [[b` c]] `", "``` ` ``` `", "%%a%% %%\nb\n\n- c\n%% d",
	"<!-- a\n\nb --> c", "<a href='#x'>#y</a>", "| a |\n|--|\n| [[x\\|y]] |", "\xff\xfe[[x]]\xff", "a\u00a0\n\u2003\n- b", "\t- x\n\t\t- y\n z",
	"- a\n\n  b\n\nc", "1. a\n2) b\n   ```\n   x", "x #a#b (#c) [d](#e) [[#f]] #1 #g/ #é #🙂‍↔️ `#h`", "#", "#######", "# #", "    a\n\n    b", "&\r\r\n",
	"- a\r\n  .id: 65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f\r\n", "A TODO x\nDONE\n", "<div>\n\n- a", "***\n* * *\n", "[x]: #y\n",
	"---\na: [[x]]\nb: \"[[y]]\" # [[z]]\n---\n", "---\na: [[x]], [[y]]\n---\n", "> - ```\n>   x\n> y\n",
}

func FuzzParse(f *testing.F) {
	for _, s := range oddities {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if err := checkNote(src, Parse(src)); err != nil {
			t.Errorf("Parse(%q): %v", src, err)
		}
	})
}

func FuzzAddTag(f *testing.F) {
	for _, s := range oddities {
		f.Add(s, "a")
	}
	for _, s := range []string{"---\ntags: [x, y,]\n---\n", "---\ntags:\n- x\n---\n", "---\ntags: x, y\n---\n", "---\ntags:\n---\n", "---\n? a\n---"} {
		f.Add(s, "2024")
	}
	f.Fuzz(func(t *testing.T, src, tag string) { checkAdd(t, src, tag) })
}

func FuzzRemoveTag(f *testing.F) {
	for _, s := range oddities {
		f.Add(s, "a")
	}
	for _, s := range []string{
		"x #a #a\n#a # y\n- #a\n> #a\n", "---\ntags: [x, a,]\ntag: a\n---\n#a", "---\ntags:\n- a\n---\n", "#a\n---\n#a\n---", "#a    x\n\n#a <!--\n#b-->",
		"x #a#b #a[[c]] (#a)", "#a\n    x\n", "#a|b\n-|-\n",
	} {
		f.Add(s, "a")
	}
	f.Fuzz(func(t *testing.T, src, tag string) { checkRemove(t, src, tag) })
}

// checkAdd adds tag to src and holds the outcome against AddTag's promises.
func checkAdd(t *testing.T, src, tag string) {
	t.Helper()
	out, applied, err := AddTag(src, tag)
	if err != nil || applied == 0 {
		if out != src || applied != 0 || err != nil && stratum.KindOf(err) != stratum.InvalidArgs {
			t.Errorf("AddTag(%q, %q) = %q, %d, %v", src, tag, out, applied, err)
		}
		return
	}
	old, now := Parse(src), Parse(out)
	name, _ := CleanTag(tag)
	if !hasTag(now.FrontmatterTags, name) || len(now.FrontmatterTags) != len(old.FrontmatterTags)+1 {
		t.Errorf("AddTag(%q, %q) = %q: tags %q", src, tag, out, now.FrontmatterTags)
	}
	sameButTags(t, src, out, old, now)
	if body(src, old) != body(out, now) {
		t.Errorf("AddTag(%q, %q) = %q changed the body", src, tag, out)
	}
	if again, applied, err := AddTag(out, tag); again != out || applied != 0 || err != nil {
		t.Errorf("AddTag(%q, %q) again: %q, %d, %v", out, tag, again, applied, err)
	}
}

// checkRemove removes tag from src, holds the outcome against RemoveTag's
// promises and returns it.
func checkRemove(t *testing.T, src, tag string) string {
	t.Helper()
	out, applied, err := RemoveTag(src, tag)
	if err != nil || applied == 0 {
		if out != src || applied != 0 || err != nil && stratum.KindOf(err) != stratum.InvalidArgs {
			t.Errorf("RemoveTag(%q, %q) = %q, %d, %v", src, tag, out, applied, err)
		}
		return out
	}
	old, now := Parse(src), Parse(out)
	name, _ := CleanTag(tag)
	if hasTag(now.Tags, name) || len(now.Tags) != len(old.Tags)-1 {
		t.Errorf("RemoveTag(%q, %q) = %q: tags %q", src, tag, out, now.Tags)
	}
	sameButTags(t, src, out, old, now)
	if len(now.Links) != len(old.Links) {
		t.Errorf("RemoveTag(%q, %q) = %q: links %v", src, tag, out, now.Links)
	}
	if again, applied, err := RemoveTag(out, tag); again != out || applied != 0 || err != nil {
		t.Errorf("RemoveTag(%q, %q) again: %q, %d, %v", out, tag, again, applied, err)
	}
	return out
}

// body returns what follows the frontmatter, or the BOM where there is none.
func body(src string, n *stratum.Note) string {
	if n.FrontmatterSpan.Len() == 0 {
		return strings.TrimPrefix(src, bom)
	}
	return src[n.FrontmatterSpan.End:]
}

// sameButTags reports a difference between the frontmatter of two notes that
// lies in none of the tags.
func sameButTags(t *testing.T, src, out string, old, now *stratum.Note) {
	t.Helper()
	e := yamlEdit{note: old}
	if now.FrontmatterErr != nil || !e.sameKeys(now.Frontmatter) {
		t.Errorf("edit of %q to %q changed the frontmatter to %v (%v)", src, out, now.Frontmatter, now.FrontmatterErr)
	}
	if err := checkNote(out, now); err != nil {
		t.Errorf("%q: %v", out, err)
	}
}
