package markdown

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrontmatterIsFound(t *testing.T) {
	tests := []struct {
		name, src string
		want      string // what the span covers
	}{
		{"none", "a\n---\n", ""},
		{"empty note", "", ""},
		{"plain", "---\na: b\n---\nText", "---\na: b\n---\n"},
		{"without keys", "---\n---\nText", "---\n---\n"},
		{"no newline at the end", "---\na: b\n---", "---\na: b\n---"},
		{"CRLF", "---\r\na: b\r\n---\r\nText", "---\r\na: b\r\n---\r\n"},
		{"after a BOM and blank lines", "\ufeff\n \n---\na: b\n---\nText", "---\na: b\n---\n"},
		{"blanks after the fences", "--- \na: b\n---\t\nText", "--- \na: b\n---\t\n"},
		{"an opening without a closing is body", "---\na: b\n--- c\n----\n ---\n", ""},
		{"a fence of four", "----\na: b\n---\n", ""},
		{"an indented fence", " ---\na: b\n---\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse(tt.src)
			if got := tt.src[note.FrontmatterSpan.Start:note.FrontmatterSpan.End]; got != tt.want {
				t.Errorf("frontmatter of %q: got %q, want %q", tt.src, got, tt.want)
			}
			if err := checkNote(tt.src, note); err != nil {
				t.Errorf("Parse(%q): %v", tt.src, err)
			}
		})
	}
}

func TestFrontmatterValues(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"scalars", "a: x\nb: 'y'\nc: 1\nd: -2.5\ne: true\nf: ~\ng:\n", `{"a":"x","b":"y","c":1,"d":-2.5,"e":true,"f":null,"g":null}`},
		{"dates stay text", "a: 2026-01-02\nb: 2026-01-02T03:04:05Z\nc: 2026-01-02 03:04:05\n", `{"a":"2026-01-02","b":"2026-01-02T03:04:05Z","c":"2026-01-02 03:04:05"}`},
		{"numbers that JSON lacks", "a: .nan\nb: -.inf\nc: 0x1F\nd: 18446744073709551615\n", `{"a":".nan","b":"-.inf","c":31,"d":18446744073709551615}`},
		{"text that other YAML misreads", "a: yes\nb: off\nc: 12:30\n", `{"a":"yes","b":"off","c":"12:30"}`},
		{"nested", "a: {b: [1, {c: d}]}\n", `{"a":{"b":[1,{"c":"d"}]}}`},
		{"text of lines", "a: |\n  b\n  c\nd: >\n  e\n  f\n", `{"a":"b\nc\n","d":"e f\n"}`},
		{"the last of duplicate keys", "a: 1\na: 2\n", `{"a":2}`},
		{"keys become text", "1: a\ntrue: b\n? [c, d]\n: e\n", `{"1":"a","[\"c\",\"d\"]":"e","true":"b"}`},
		{"anchors and merges", "a: &x {b: 1, c: 2}\nd: *x\ne: {<<: *x, c: 3}\n", `{"a":{"b":1,"c":2},"d":{"b":1,"c":2},"e":{"b":1,"c":3}}`},
		{"types", "a: !!str 1\nb: !x y\nc: !!int z\n", `{"a":"1","b":"y","c":"z"}`},
		{"a title is text", "title: 2024\n", `{"title":"2024"}`},
		{"tags and aliases are lists", "tags: x\naliases: y\n", `{"aliases":["y"],"tags":["x"]}`},
		{"empty tags and aliases", "tags:\naliases: ~\n", `{"aliases":[],"tags":[]}`},
		{"a comment only", "# a\n", `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse("---\n" + tt.yaml + "---\n")
			got, err := json.Marshal(note.Frontmatter)
			if err != nil || string(got) != tt.want || note.FrontmatterErr != nil {
				t.Errorf("frontmatter of %q:\n got %s (%v, %v)\nwant %s", tt.yaml, got, note.FrontmatterErr, err, tt.want)
			}
		})
	}
}

func TestFrontmatterFields(t *testing.T) {
	tests := []struct {
		name, yaml string
		title      string
		tags       []string
		aliases    []string
	}{
		{"title", "title: ' A title '\n", "A title", nil, nil},
		{"no title: null, blank, a list", "title: [a]\n", "", nil, nil},
		{"title of a date", "title: 2026-01-02\n", "2026-01-02", nil, nil},
		{"a list", "tags: [a, '#b', A, 2024, ~, c/]\n", "", []string{"a", "b", "2024", "c"}, nil},
		{"lines", "tags:\n- a\n-\n- b c\n", "", []string{"a", "b c"}, nil},
		{"commas", "tags: a, b,c\n", "", []string{"a", "b", "c"}, nil},
		{"spaces", "tags: a #b\n", "", []string{"a"}, nil},
		{"spaces and hashes", "tags: \"#a #b\"\n", "", []string{"a", "b"}, nil},
		{"scalars", "tags: 2024\n", "", []string{"2024"}, nil},
		{"both keys", "tag: b\ntags: a\n", "", []string{"a", "b"}, nil},
		{"an alias", "x: &l [a, b]\ntags: *l\n", "", []string{"a", "b"}, nil},
		{"a mapping holds none", "tags: {a: b}\naliases: {c: d}\n", "", nil, nil},
		{"aliases", "aliases: [A b, 'C, d', 7]\n", "", nil, []string{"A b", "C, d", "7"}},
		{"aliases with commas", "aliases: A b, C\nalias: D\n", "", nil, []string{"A b", "C", "D"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse("---\n" + tt.yaml + "---\n")
			if note.Title != tt.title || !slices.Equal(note.FrontmatterTags, tt.tags) || !slices.Equal(note.Aliases, tt.aliases) {
				t.Errorf("fields of %q:\n got %q %q %q\nwant %q %q %q", tt.yaml,
					note.Title, note.FrontmatterTags, note.Aliases, tt.title, tt.tags, tt.aliases)
			}
			if diff := cmp.Diff(note.FrontmatterTags, note.Tags); diff != "" {
				t.Errorf("tags of %q differ from its frontmatter's: %s", tt.yaml, diff)
			}
		})
	}
}

// What does not parse costs the note its frontmatter's fields, nothing else.
func TestFrontmatterThatDoesNotParse(t *testing.T) {
	for name, yaml := range map[string]string{
		"a bracket":      "title: T\ntags: [a\n",
		"a colon":        "title: T: U\n",
		"a tab":          "title: T\nk:\n\t- a\n",
		"no mapping":     "just text\n",
		"a list":         "- a\n",
		"invalid UTF-8":  "title: \xff\n",
		"a control code": "title: \x01\n",
		"unknown alias":  "title: *x\n",
		"an alias cycle": "title: &x [*x]\n",
		"too deep":       "title: T\nk: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n",
		"laughs":         strings.TrimSuffix(strings.TrimPrefix(laughs(8), "---\n"), "---\nbody\n"),
	} {
		t.Run(name, func(t *testing.T) {
			src := "---\n" + yaml + "---\n# Head #x\n[[a]]\n"
			note := Parse(src)
			if note.FrontmatterErr == nil || len(note.Frontmatter) != 0 || note.Frontmatter == nil || note.Title != "" {
				t.Errorf("Parse(%.200q): frontmatter %v, title %q, error %v; want none and an error", src, note.Frontmatter, note.Title, note.FrontmatterErr)
			}
			if got, want := note.FrontmatterSpan.End, len("---\n---\n")+len(yaml); got != want {
				t.Errorf("frontmatter ends at %d, want %d", got, want)
			}
			if len(note.Blocks) != 2 || len(note.Links) != 1 || !slices.Equal(note.Tags, []string{"x"}) {
				t.Errorf("the body was not read: %+v", note)
			}
		})
	}
}
