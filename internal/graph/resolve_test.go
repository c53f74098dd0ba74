package graph

import (
	"strings"
	"testing"

	"stratum"
)

func TestResolve(t *testing.T) {
	const (
		nfc = "caf\u00e9"
		nfd = "cafe\u0301"
	)
	for _, c := range []struct {
		name   string
		notes  string // one a line, see vault
		from   string // note that holds the link, or the root
		target string
		want   string
	}{
		{"exact path without .md", "a/b.md\nb.md", "", "a/b", "a/b.md"},
		{"exact path with .md", "a/b.md\nb.md", "", "a/b.md", "a/b.md"},
		{"exact path before the same in another case", "B.md\nb.md", "", "b", "b.md"},
		{"case twins, the other one", "B.md\nb.md", "", "B", "B.md"},
		{"a name that ends in .md.md has both spellings", "b.md.md", "", "b.md", "b.md.md"},
		{".md is read as the extension first", "b.md.md\nb.md", "", "b.md", "b.md"},
		{"path in another case", "Projects/Plan.md\nplan.md | projects/plan", "", "projects/PLAN", "Projects/Plan.md"},
		{"extension in another case", "Plan.md", "", "plan.MD", "Plan.md"},
		{"folded path: fewer bytes first", "PLAN.md\nPlan.md", "", "plan", "PLAN.md"},
		{"NFD name, NFC target", nfd + ".md", "", nfc, nfd + ".md"},
		{"NFC name, NFD target", nfc + ".md", "", nfd, nfc + ".md"},
		{"other form in the same case before another case", nfd + ".md\n" + strings.ToUpper(nfc) + ".md", "", nfc, nfd + ".md"},
		{"accents count", "cafe.md", "", nfc, ""},
		{"case beyond ASCII", "ÜBER Straße.md", "", "über strasse", "ÜBER Straße.md"},
		{"percent-decoded", "My Note.md", "", "My%20Note", "My Note.md"},
		{"percent-decoded in another case, with .md", "a/My Note.md", "", "A/my%20note.md", "a/My Note.md"},
		{"percent-decoded path before a path suffix as written", "a/100%25.md\n100%.md", "", "100%25", "100%.md"},
		{"a name that looks encoded, exactly", "My%20Note.md\nMy Note.md", "", "My%20Note", "My%20Note.md"},
		{"percent-decoded stem", "deep/My Note.md", "", "My%20Note", "deep/My Note.md"},
		{"no percent-encoding", "100% sure.md", "", "100% sure", "100% sure.md"},
		{"decoded # is part of the name", "C#.md", "", "C%23", "C#.md"},
		{"decoding to no text is none", "%FF.md", "", "%ff", "%FF.md"},
		{"path suffix", "x/a/b.md", "", "a/b", "x/a/b.md"},
		{"path suffix in another case, with .md", "x/A/b.md", "", "a/B.md", "x/A/b.md"},
		{"path suffix ends at a component's start", "xa/b.md", "", "a/b", ""},
		{"path suffix: exact case first", "w/A/b.md\nx/y/a/b.md", "", "a/b", "x/y/a/b.md"},
		{"path suffix: fewest components", "a/y/a/b.md\nx/a/b.md", "", "a/b", "x/a/b.md"},
		{"path suffix: byte order", "y/a/b.md\nx/a/b.md", "", "a/b", "x/a/b.md"},
		{"stem", "x/y/b.md\nc.md | b", "", "b", "x/y/b.md"},
		{"stem: exact case first", "x/B.md\nx/y/b.md", "", "b", "x/y/b.md"},
		{"stem: fewest components", "a/a/b.md\nz/b.md", "", "b", "z/b.md"},
		{"stem with dots", "notes/a.b.c.md", "", "a.b.c", "notes/a.b.c.md"},
		{"dots are no folders", "a.b.c.md", "", "c", ""},
		{"dashes for spaces", "x/my-big note.md", "", "my big-note", "x/my-big note.md"},
		{"dashes for spaces in another case, with .md", "My-Note.md", "", "my note.md", "My-Note.md"},
		{"dashes for spaces: exact case first", "MY-note.md\nx/my-note.md", "", "my note", "x/my-note.md"},
		{"exact stem before dashes", "my-note.md\nx/my note.md", "", "my note", "x/my note.md"},
		{"dashes before title", "x.md | my note\na/my-note.md", "", "my note", "a/my-note.md"},
		{"dashes do not bring folders together", "a b/c.md", "", "a-b/c", ""},
		{"title", "x.md | The Title\ny.md | | the title", "", "the title", "x.md"},
		{"title: exact case first", "a.md | THE title\nb/c.md | the title", "", "the title", "b/c.md"},
		{"title with a slash", "x.md | Input/Output", "", "input/output", "x.md"},
		{"title is not loosened", "x.md | the-title", "", "the title", ""},
		{"title percent-decoded", "x.md | The Title", "", "the%20title", "x.md"},
		{"alias", "x.md | | Other, Name", "", "name", "x.md"},
		{"alias: exact case first", "a.md | | NAME\nb/c.md | | name", "", "name", "b/c.md"},
		{"the best of a note's aliases counts", "a.md | | NAME, name\nb.md | | Name", "", "name", "a.md"},
		{"emoji", "x/🚀 Launch.md", "", "🚀 launch", "x/🚀 Launch.md"},
		{"heading is cut", "a.md", "", "a#part", "a.md"},
		{"block is cut", "a.md", "", "a^1f", "a.md"},
		{"heading and block are cut, then spaces", "a.md", "", "a #part^1f", "a.md"},
		{"local heading", "a.md\npart.md", "a", "#part", ""},
		{"local block", "a.md", "a", "^part", ""},
		{"a target is what stands before the bar", "target.md\nalias.md", "", "alias", "alias.md"},
		{"relative to the folder", "x/y/a.md\nx/b.md\nb.md", "x/y/a", "../b", "x/b.md"},
		{"relative, same folder", "x/a.md\nx/b.md\nb.md", "x/a", "./b.md", "x/b.md"},
		{"relative, below", "x/a.md\nx/z/b.md", "x/a", "./z/b", "x/z/b.md"},
		{"relative, in another case and encoded", "x/a.md\nx/B b.md", "x/a", "./b%20B", "x/B b.md"},
		{"relative, no other rule", "x/a.md\nx/y/b.md\nc.md | ./b", "x/a", "./b", ""},
		{"relative from the root", "b.md\nx/b.md", "", "./b", "b.md"},
		{"relative, out of the vault", "x/a.md\nb.md", "x/a", "../../b", ""},
		{"relative, out and in again", "x/a.md\nx/b.md", "x/a", "../../x/b", ""},
		{"relative, hidden steps", "x/a.md\nb.md", "x/a", "./y/../../b", "b.md"},
		{"relative, encoded way out finds nothing", "x/a.md\nb.md", "x/a", "./%2e%2e/b", ""},
		{"dots inside are no steps", "x/a.md\nb.md", "x/a", "x/../b", ""},
		{"a bare folder", "x/a.md", "x/a", "..", ""},
		{"absolute", "a.md", "", "/a", ""},
		{"folder", "a/b.md", "", "a/", ""},
		{"double slash", "a/b.md", "", "a//b", ""},
		{"only the extension", "a.md", "", ".md", ""},
		{"nothing", "a.md", "", "  ", ""},
		{"invalid UTF-8", "a.md", "", "a\xff", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			notes := vault(t, strings.Split(c.notes, "\n")...)
			var from stratum.Path
			if c.from != "" {
				from = mustPath(t, c.from)
			}
			g := Build(notes)
			if got := g.path(g.Resolve(from, c.target)); got != c.want {
				t.Errorf("Resolve(%q) = %q, want %q", c.target, got, c.want)
			}

			// The same link, written in a note before its target is there.
			link := Note{ID: 99, Path: mustPath(t, "zzz-linking"), Blocks: 1, Links: []Link{{Target: c.target}}}
			if dir := from.Dir(); dir != "" {
				link.Path = mustPath(t, dir+"/zzz-linking")
			}
			g, _ = Build([]Note{link}).With(notes, nil)
			if got := g.path(g.Resolve(link.Path, c.target)); got != c.want {
				t.Errorf("after its target came, %q resolves to %q, want %q", c.target, got, c.want)
			}
			want := c.want
			if want == "" {
				want = pageOf(c.target)
			}
			same(t, "Targets", g.Targets(99), []string{want})
		})
	}
}

func TestLinkFollowsItsTarget(t *testing.T) {
	g := Build(vault(t, "from.md | | | | plan", "other.md | | | | other"))
	step := func(name string, changed []Note, removed []NoteID, target string, relinked ...NoteID) {
		t.Helper()
		next, got := g.With(changed, removed)
		g = next
		same(t, name+": Targets", g.Targets(0), []string{target})
		same(t, name+": relinked", got, relinked)
	}
	note := func(id NoteID, line string) []Note {
		n := vault(t, line)
		n[0].ID = id
		return n
	}
	step("alias appears", note(2, "x.md | | Plan"), nil, "x.md", 0)
	step("title betters it", note(3, "y.md | Plan"), nil, "y.md", 0)
	step("text alone changes", note(3, "y.md | Plan | | tag"), nil, "y.md")
	step("stem betters it", note(4, "deep/PLAN.md"), nil, "deep/PLAN.md", 0)
	step("exact case betters it", note(5, "deep/deep/plan.md"), nil, "deep/deep/plan.md", 0)
	step("a worse one appears", note(6, "plan-b.md | plan"), nil, "deep/deep/plan.md")
	step("exact path betters it", note(7, "plan.md"), nil, "plan.md", 0)
	step("the best goes", nil, []NoteID{7}, "deep/deep/plan.md", 0)
	step("the note moves under its id", note(5, "z/plan.md"), nil, "z/plan.md", 0)
	step("its id is used again", note(5, "unrelated.md"), nil, "deep/PLAN.md", 0)
	step("several at once", note(8, "q.md"), []NoteID{4, 6}, "y.md", 0)
	step("title goes", note(3, "y.md"), nil, "x.md", 0)
	step("the last goes", nil, []NoteID{2}, "plan", 0)
	step("an id in both lists stays", note(2, "plan.md"), []NoteID{2}, "plan.md", 0)
	step("the linking note itself is not relinked", note(0, "from.md | | | | y"), []NoteID{2}, "y.md")
}
