package markdown

import (
	"testing"

	"stratum"
)

func TestAddTag(t *testing.T) {
	tests := []struct{ name, src, tag, want string }{
		{"no frontmatter", "Text\n", "a", "---\ntags:\n  - a\n---\nText\n"},
		{"no frontmatter, CRLF and BOM", "\ufeffText\r\n", "a", "\ufeff---\r\ntags:\r\n  - a\r\n---\r\nText\r\n"},
		{"empty note", "", "a", "---\ntags:\n  - a\n---\n"},
		{"opening fence that is body", "---\nText\n", "a", "---\ntags:\n  - a\n---\n---\nText\n"},
		{"no tags key", "---\ntitle: T # c\n---\nText", "a", "---\ntitle: T # c\ntags:\n  - a\n---\nText"},
		{"empty frontmatter", "---\n---\nText", "a", "---\ntags:\n  - a\n---\nText"},
		{"only a comment", "---\n# c\n---\n", "a", "---\n# c\ntags:\n  - a\n---\n"},
		{"key without value", "---\ntags:\ntitle: T\n---\n", "a", "---\ntags:\n  - a\ntitle: T\n---\n"},
		{"key without value, comment", "---\ntags: # c\ntitle: T\n---\n", "a", "---\ntags: # c\n  - a\ntitle: T\n---\n"},
		{"empty list", "---\ntags: []\n---\n", "a", "---\ntags: [a]\n---\n"},
		{"null", "---\ntags: null # c\n---\n", "a", "---\ntags: [a] # c\n---\n"},
		{"empty string", "---\ntags: \"\"\n---\n", "a", "---\ntags: [\"a\"]\n---\n"},
		{"flow", "---\ntags: [x, y] # c\n---\n", "a", "---\ntags: [x, y, a] # c\n---\n"},
		{"flow, tight", "---\ntags: [x,y]\n---\n", "a", "---\ntags: [x,y,a]\n---\n"},
		{"flow, spaced brackets", "---\ntags: [ x ]\n---\n", "a", "---\ntags: [ x, a ]\n---\n"},
		{"flow, quoted", "---\ntags: ['x', 'y']\n---\n", "a", "---\ntags: ['x', 'y', 'a']\n---\n"},
		{"flow, trailing comma", "---\ntags: [x, y, ]\n---\n", "a", "---\ntags: [x, y, a ]\n---\n"},
		{
			"flow over lines", "---\ntags: [\n  x, # one\n  y # two\n]\n---\n", "a",
			"---\ntags: [\n  x, # one\n  y, # two\n  a\n]\n---\n",
		},
		{
			"flow over lines, trailing comma and comment", "---\r\ntags: [\r\n  x,\r\n  y, # two\r\n]\r\n---\r\n", "a",
			"---\r\ntags: [\r\n  x,\r\n  y, # two\r\n  a\r\n]\r\n---\r\n",
		},
		{"block", "---\ntags:\n  - x\n  - y # c\n# d\nk: v\n---\n", "a", "---\ntags:\n  - x\n  - y # c\n  - a\n# d\nk: v\n---\n"},
		{"block, not indented, CRLF", "---\r\ntags:\r\n- x\r\n---\r\n", "a", "---\r\ntags:\r\n- x\r\n- a\r\n---\r\n"},
		{"block, quoted, wide", "---\ntags:\n    -   \"x\"\n---\n", "a", "---\ntags:\n    -   \"x\"\n    -   \"a\"\n---\n"},
		{"one scalar", "---\ntags: x\n---\n", "a", "---\ntags: x, a\n---\n"},
		{"commas", "---\ntags: x,y # c\n---\n", "a", "---\ntags: x,y,a # c\n---\n"},
		{"spaces", "---\ntags: x y\n---\n", "a", "---\ntags: x y a\n---\n"},
		{"quoted string", "---\ntags: \"x, y\"\n---\n", "a", "---\ntags: \"x, y, a\"\n---\n"},
		{"number is quoted", "---\ntags: [x]\n---\n", "2024", "---\ntags: [x, \"2024\"]\n---\n"},
		{"bool is quoted", "---\ntags:\n  - x\n---\n", "true", "---\ntags:\n  - x\n  - \"true\"\n---\n"},
		{"colon is quoted", "---\ntags: [x]\n---\n", "a:", "---\ntags: [x, \"a:\"]\n---\n"},
		{"leading # is dropped", "---\ntags: [x]\n---\n", "#a/b", "---\ntags: [x, a/b]\n---\n"},
		{"a child is another tag", "---\ntags: [a/b]\n---\n#a/c\n", "a", "---\ntags: [a/b, a]\n---\n#a/c\n"},
		{"in code it is no tag", "---\ntags: [x]\n---\n`#a`\n", "a", "---\ntags: [x, a]\n---\n`#a`\n"},
		{"indented keys", "---\n  k: v\n---\n", "a", "---\n  k: v\n  tags:\n    - a\n---\n"},
		{"indented key without value", "---\n  tags:\n  k: v\n---\n", "a", "---\n  tags:\n    - a\n  k: v\n---\n"},
		{"only the key tag", "---\ntag: x\n---\n", "a", "---\ntag: x\ntags:\n  - a\n---\n"},
		{"after a block scalar", "---\nd: |\n  x\n---\n", "a", "---\nd: |\n  x\ntags:\n  - a\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, applied, err := AddTag(tt.src, tt.tag)
			if err != nil || applied != 1 || got != tt.want {
				t.Fatalf("AddTag(%q, %q)\n got %q, %d, %v\nwant %q, 1", tt.src, tt.tag, got, applied, err, tt.want)
			}
			again, applied, err := AddTag(got, tt.tag)
			if err != nil || applied != 0 || again != got {
				t.Errorf("a second AddTag: got %q, %d, %v; want nothing changed", again, applied, err)
			}
		})
	}
}

func TestAddTagIsThere(t *testing.T) {
	for name, src := range map[string]string{
		"frontmatter":            "---\ntags: [x, A]\n---\n",
		"frontmatter, with hash": "---\ntags: ['#a']\n---\n",
		"frontmatter, tag":       "---\ntag: a\n---\n",
		"inline":                 "Text (#A).\n",
	} {
		if got, applied, err := AddTag(src, "a"); got != src || applied != 0 || err != nil {
			t.Errorf("%s: AddTag(%q, a) = %q, %d, %v; want no change", name, src, got, applied, err)
		}
	}
}

func TestEditRefusals(t *testing.T) {
	tests := []struct{ name, src string }{
		{"does not parse", "---\ntags: [a\n---\n#a\n"},
		{"duplicate key", "---\ntags: [a]\ntags: [a]\n---\n"},
		{"another duplicate key", "---\nk: 1\nk: 2\ntags: [a]\n---\n"},
		{"alias", "---\nx: &t [a]\ntags: *t\n---\n"},
		{"anchor", "---\ntags: &t [a]\nx: *t\n---\n"},
		{"alias in the list", "---\nx: &t a\ntags: [*t]\n---\n"},
		{"tab", "---\ntags:\t[a]\n---\n"},
		{"braces", "---\n{tags: [a]}\n---\n"},
		{"no mapping", "---\njust text\n---\n"},
		{"text of several lines", "---\ntags: |\n  a\n---\n"},
		{"item of several lines", "---\ntags:\n  -\n    a\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, applied, err := AddTag(tt.src, "new")
			refused(t, "AddTag", tt.src, got, applied, err)
			got, applied, err = RemoveTag(tt.src, "a")
			refused(t, "RemoveTag", tt.src, got, applied, err)
		})
	}
	for _, tag := range []string{"", "#", " ", "/", "a b", "a,b", "a\nb", "\xff"} {
		got, applied, err := AddTag("Text", tag)
		refused(t, "AddTag tag "+tag, "Text", got, applied, err)
	}
}

func refused(t *testing.T, call, src, got string, applied int, err error) {
	t.Helper()
	if got != src || applied != 0 || stratum.KindOf(err) != stratum.InvalidArgs || stratum.AsError(err).Hint == "" {
		t.Errorf("%s(%q): got %q, %d, %v; want InvalidArgs with a hint and no change", call, src, got, applied, err)
	}
}

func TestRemoveTag(t *testing.T) {
	tests := []struct {
		name, src, want string
		applied         int
	}{
		{"flow, first", "---\ntags: [a, x] # c\n---\n", "---\ntags: [x] # c\n---\n", 1},
		{"flow, last", "---\ntags: [x, 'a']\n---\n", "---\ntags: [x]\n---\n", 1},
		{"flow, only", "---\ntags: [ \"a\" ]\n---\n", "---\ntags: []\n---\n", 1},
		{"flow, twice and key tag", "---\ntags: [a, x, A, a]\ntag: a\n---\n", "---\ntags: [x]\ntag: []\n---\n", 4},
		{"flow, first two", "---\ntags: [a, a, x, y]\n---\n", "---\ntags: [x, y]\n---\n", 2},
		{"flow over lines", "---\ntags: [\n  x, # one\n  a, # two\n  y\n]\n---\n", "---\ntags: [\n  x, # one\n  y\n]\n---\n", 1},
		{"flow over lines, last", "---\ntags: [\n  x, # one\n  a # two\n]\n---\n", "---\ntags: [\n  x, # one\n]\n---\n", 1},
		{"block", "---\ntags:\n  - x\n  - a # c\n  - y\n---\n", "---\ntags:\n  - x\n  - y\n---\n", 1},
		{"block, only", "---\ntags: # c\n  - a\nk: v\n---\n", "---\ntags: [] # c\nk: v\n---\n", 1},
		{"block, CRLF", "\ufeff---\r\ntags:\r\n- a\r\n- x\r\n---\r\nText", "\ufeff---\r\ntags:\r\n- x\r\n---\r\nText", 1},
		{"quoted key", "---\n\"tags\":\n  - a\n---\n", "---\n\"tags\": []\n---\n", 1},
		{"one scalar", "---\ntags: a\n---\n", "---\ntags: []\n---\n", 1},
		{"commas", "---\ntags: x, a, y\n---\n", "---\ntags: x, y\n---\n", 1},
		{"commas, first", "---\ntags: \"#a, x\"\n---\n", "---\ntags: \"x\"\n---\n", 1},
		{"spaces", "---\ntags: x a\n---\n", "---\ntags: x\n---\n", 1},
		{"children and longer tags stay", "---\ntags: [a/b, ab, a]\n---\n#a/b #ab #a-b #a\n", "---\ntags: [a/b, ab]\n---\n#a/b #ab #a-b\n", 2},

		{"between words", "one #a two", "one two", 1},
		{"without regard to case", "one #A two", "one two", 1},
		{"at the end", "one #a\ntwo", "one\ntwo", 1},
		{"at the start", "#a one", "one", 1},
		{"before punctuation", "one #a, two #a.", "one, two.", 2},
		{"in parentheses", "(#a) (#a x) (x #a)", "() (x) (x)", 3},
		{"two in a row", "x #a #a y", "x y", 2},
		{"two alone", "x\n#a #a\ny", "x\ny", 2},
		{"alone on its line", "x\n#a\ny", "x\ny", 1},
		{"alone at the end", "x\n#a", "x\n", 1},
		{"alone, CRLF", "x\r\n#a\r\ny\r\n", "x\r\ny\r\n", 1},
		{"a bullet stays", "- #a\n- x\n", "- \n- x\n", 1},
		{"a bullet after text stays", "x:\n- #a\n* #a\n", "x:\n- \n* \n", 2},
		{"after a bullet", "- #a x\n  - #a y\n", "- x\n  - y\n", 2},
		{"after a check box", "- [ ] #a x\n", "- [ ] x\n", 1},
		{"a heading stays", "# #a\n", "# \n", 1},
		{"in a heading", "# One #a\n", "# One\n", 1},
		{"in a quote", "> x\n> #a\n> y\n", "> x\n> y\n", 1},
		{"alone in a quote", "> #a\n", "> \n", 1},
		{"before a tag without space", "x #a#b y", `x \#b y`, 1},
		{"before a tag", "#a #b\n- #a #b x\n", "#b\n- #b x\n", 2},
		{"after a BOM", "\ufeff#a x\n", "\ufeffx\n", 1},
		{"alone after a BOM", "\ufeff#a\nx\n", "\ufeffx\n", 1},
		{"before a heading mark", "#a # x", `\# x`, 1},
		{"before a bullet mark", "#a - x", `\- x`, 1},
		{"before a number", "#a 1. x", `1\. x`, 1},
		{"before a quote mark", "#a > x", `\> x`, 1},
		{"before a rule", "x\n#a ---\n", "x\n\\---\n", 1},
		{"before a comment", "#a %% x\n\n%%\n", "\\%% x\n\n%%\n", 1},
		{"before a property", "- x\n  #a .id: y\n", "- x\n  \\.id: y\n", 1},
		{"no indented code", "  #a     x", "  x", 1},
		{"no link is made", "[x] #a(y) [ #a[z]]", "[x] (y) [ [z]]", 2},
		{"code stays", "`#a` #a\n\n```\n#a\n```\n", "`#a`\n\n```\n#a\n```\n", 1},
		{"task", "#a TODO x", "TODO x", 1},
		{"emoji", "x #a🙂 #a", "x #a🙂", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, applied, err := RemoveTag(tt.src, "a")
			if err != nil || applied != tt.applied || got != tt.want {
				t.Fatalf("RemoveTag(%q, a)\n got %q, %d, %v\nwant %q, %d", tt.src, got, applied, err, tt.want, tt.applied)
			}
			again, applied, err := RemoveTag(got, "#a")
			if err != nil || applied != 0 || again != got {
				t.Errorf("a second RemoveTag: got %q, %d, %v; want nothing changed", again, applied, err)
			}
		})
	}
}

// A removal that would turn the rest of the note into frontmatter is refused.
func TestRemoveTagRefusesNewFrontmatter(t *testing.T) {
	const src = "#a\n---\ntitle: x\n---\n"
	got, applied, err := RemoveTag(src, "a")
	if err == nil && Parse(got).FrontmatterSpan.Len() > 0 {
		t.Errorf("RemoveTag(%q, a) = %q, %d: the note has frontmatter now", src, got, applied)
	}
	if err != nil {
		refused(t, "RemoveTag", src, got, applied, err)
	}
}
