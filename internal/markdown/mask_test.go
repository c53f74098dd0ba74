package markdown

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCodeMask(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
		judge     string // how CommonMark differs; "" where it agrees
	}{
		{"a code span", "a `b` c", []string{"`b`"}, ""},
		{"runs must match", "`` a ` b `` c ` d", []string{"`` a ` b ``"}, ""},
		{"over lines", "`a\nb` c", []string{"`a\nb`"}, ""},
		{"not over paragraphs", "`a\n\nb` c", nil, ""},
		{"not over items", "- `a\n- b`", nil, ""},
		{"not over headings", "# `a\nb`", nil, ""},
		{"not over rows of a table", "| a |\n|---|\n| `b |\n| c` |", nil, ""},
		{"an escaped backtick opens none", "\\`a`b`", []string{"`b`"}, ""},
		{"a backslash in code is text", "`a\\`b`", []string{"`a\\`"}, ""},
		{"unclosed is text", "a ```b", nil, ""},
		{"a fence", "```go\na\n```\nb", []string{"```go\na\n```\n"}, ""},
		{"a fence of tildes", "~~~\n```\n~~~ a\n~~~~\nb", []string{"~~~\n```\n~~~ a\n~~~~\n"}, ""},
		{"a backtick in the info string is no fence", "``` a`b\nc", nil, ""},
		{"a fence in a quote", "> ```\n> a\n> ```\n> b", []string{"```\n> a\n> ```\n"}, ""},
		{"a fence ends with its quote", "> ```\n> a\nb", []string{"```\n> a\n"}, ""},
		{"a fence in a quote in a quote", "> > ```\n> > a\n> b", []string{"```\n> > a\n"}, ""},
		{"a fence in an item", "- a\n  ```\n  b\n  ```\n  c", []string{"```\n  b\n  ```\n"}, ""},
		{"a fence ends with its item", "1. ```\n   a\nb", []string{"```\n   a\n"}, ""},
		{"a fence in an item in a quote", "> - ```\n>   a\n> b", []string{"```\n>   a\n"}, ""},
		{"a fence in a quote in an item", "- > ```\n  > a\n  b", []string{"```\n  > a\n"}, ""},
		{"unclosed to the end", "```\na\n\nb", []string{"```\na\n\nb"}, ""},
		{"indented code", "a\n\n    b\n\tc\nd", []string{"    b\n\tc\n"}, ""},
		{"an indented line of a paragraph is text", "a\n    b", nil, ""},
		{"in a quote", ">     a\n> b", []string{"a\n"}, ""},
		{"under a bullet it is text", "- a\n\n      b", nil, "indented code in an item"},
		{"bullets win", "    - a", nil, "indented code"},
		{"a deep bullet is an item", "- a\n      - b", nil, ""},
		{"an HTML tag", "a <b c='d'>e</b>", []string{"<b c='d'>", "</b>"}, ""},
		{"a tag over lines", "a <b\nc=d> e", []string{"<b\nc=d>"}, ""},
		{"no tag", "a < b > c <1> <b c=> <b c='d>", nil, ""},
		{"a comment", "a <!-- b\nc --> d", []string{"<!-- b\nc -->"}, ""},
		{"a comment over paragraphs", "<!-- a\n\nb --> c\n\nd", []string{"<!-- a\n\nb -->"}, ""},
		{"an unclosed comment that begins a block", "<!-- a\n\nb", []string{"<!-- a\n\nb"}, ""},
		{"an unclosed comment in text", "a <!-- b\n\nc", nil, ""},
		{"an HTML block hides only tags", "<div>\na `b`\n</div>", []string{"<div>", "</div>"}, ""},
		{"processing and declarations", "a <?b?> <!C d> <![CDATA[e]]>", []string{"<?b?>", "<!C d>", "<![CDATA[e]]>"}, ""},
		{"code before a tag", "`<a href=\"`\">`", []string{"`<a href=\"`"}, ""},
		{"a tag before code", "<a href=\"`\">`", []string{"<a href=\"`\">"}, ""},
		{"an autolink before code", "<https://a.`b>`", nil, ""},
		{"a comment of percents", "a %%b `c%% d` e", []string{"%%b `c%%"}, "it knows no such comments"},
		{"over blocks", "%%\n- a\n\n# b\n%%\nc", []string{"%%\n- a\n\n# b\n%%"}, ""},
		{"only where it begins a line", "a %%\n\nb %%", nil, ""},
		{"unclosed is text", "%%\na", nil, ""},
		{"percents in code are text", "`%%` a %%", []string{"`%%`"}, ""},
		{"not in frontmatter", "---\na: `b`\n---\n`c`", []string{"`c`"}, "no frontmatter"},
		{"CRLF", "```\r\na\r\n```\r\nb `c\r\nd`", []string{"```\r\na\r\n```\r\n", "`c\r\nd`"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse(tt.src)
			var got []string
			for _, c := range note.Code {
				got = append(got, tt.src[c.Start:c.End])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("mask of %q: -want +got\n%s", tt.src, diff)
			}
			missing, extra := differences(tt.src)
			if agree := len(missing)+len(extra) == 0; agree != (tt.judge == "") {
				t.Errorf("the judge on %q: missing %q, extra %q; said to differ by %q", tt.src, missing, extra, tt.judge)
			}
		})
	}
}

// TestLinearTime parses 2 MiB of any one character, and 256 KiB of what makes
// careless parsers quadratic. Each is done within a second, but in many minutes
// where time grows by the square.
func TestLinearTime(t *testing.T) {
	const size = 1 << 18
	repeat := func(s string) string {
		if utf8.RuneCountInString(s) == 1 {
			return strings.Repeat(s, 8*size/len(s))
		}
		return strings.Repeat(s, size/len(s))
	}
	inputs := map[string]string{
		"deep bullets": func() string {
			var b strings.Builder
			for i := range 1000 {
				b.WriteString(strings.Repeat(" ", i) + "- a\n")
			}
			return b.String()
		}(),
		"deep bullets of many levels":   repeat("- "),
		"ticks of growing length":       ticks(2000),
		"nested brackets":               strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"frontmatter of brackets":       "---\na: " + strings.Repeat("[", 100_000) + "\n---\n",
		"frontmatter of braces":         "---\na: " + strings.Repeat("{a: ", 100_000) + "\n---\n",
		"frontmatter of keys":           "---\n" + keys(10_000) + "---\n",
		"frontmatter of links":          "---\na: \"" + strings.Repeat("[[a]]", 50_000) + "\"\n---\n",
		"frontmatter of many values":    "---\na: [" + strings.Repeat("\"[[a]]\", ", 30_000) + "]\n---\n",
		"many markers and text":         repeat("- ") + "x",
		"many marks and text":           repeat("> ") + "x",
		"rules in items":                "- " + repeat("* ") + "x",
		"definitions":                   "[a]: #b" + repeat("]: #b "),
		"quote marks and tags":          strings.Repeat(">", size) + repeat("#>"),
		"quote marks and links":         strings.Repeat(">", size) + repeat("[[a]]"),
		"frontmatter of tags":           "---\ntags: [" + strings.Repeat("a, ", 50_000) + "]\n---\n",
		"laughs":                        laughs(12),
		"tags":                          keysOf(30_000, "#a%d "),
		"alternating quotes in tags":    repeat(`<a b="<a b='`),
		"unclosed fences in list items": repeat("- ```\n"),
		"quotes in quotes":              repeat("> "),
		"tables":                        repeat("| a |\n|---|\n"),
		"properties":                    "- a\n" + keysOf(30_000, "  .k%d: v\n"),
	}
	for _, s := range []string{
		"[[", "]]", "[[a|", "[", "](", "](a ", "(#a ", "`", "` ", "`` ` ", "<", "<a ", "<a b=\"", "<!--", "<!-- ", "<?", "<![CDATA[",
		"<!a ", "*", "* ", "_", "%", "%%", "%% ", "a %%\n\n", "%%\n", "#", "# ", "#a", "#a ", ">", "\\", "\\`", "\\%%", "-", "- ", "-\n", "1. ",
		"~", "|", "\t", " ", "\r", "\n", "\r\n", "\xff", "\ufeff", "\u2028", "é", "🙂", ".k: v\n", "a\n", "- a\n", "    a\n", "---\n", "===\n", "a|b\n", "TODO ", "&",
	} {
		inputs[strings.ReplaceAll(s, "\n", "␊")] = repeat(s)
	}
	for name, src := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := checkSpans(src); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLinearEdits edits notes with very many tags.
func TestLinearEdits(t *testing.T) {
	const n = 20_000
	for name, src := range map[string]string{
		"lines":      strings.Repeat("#a x\n", n),
		"one line":   strings.Repeat("#a x #b ", n),
		"only tags":  strings.Repeat("#a ", n),
		"a list":     "---\ntags: [" + strings.Repeat("a, x, ", n) + "]\n---\n",
		"list lines": "---\ntags:\n" + strings.Repeat("- a\n- x\n", n) + "---\n",
		"a string":   "---\ntags: " + strings.Repeat("a x ", n) + "\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			out, applied, err := RemoveTag(src, "a")
			if err != nil || applied != n || hasTag(Parse(out).Tags, "a") {
				t.Errorf("RemoveTag: %d changes, %v; want %d", applied, err, n)
			}
			if out, applied, err = AddTag(out, "a"); err != nil || applied != 1 || !hasTag(Parse(out).FrontmatterTags, "a") {
				t.Errorf("AddTag: %d changes, %v; want 1", applied, err)
			}
		})
	}
}

// checkSpans parses src and holds its blocks against their promise; checkNote
// itself is not linear.
func checkSpans(src string) error {
	note := Parse(src)
	note.Links, note.Code, note.Tags, note.FrontmatterTags = nil, nil, nil, nil
	return checkNote(src, note)
}

// ticks returns runs of 1, 2, 3 … backticks.
func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + " ")
	}
	return b.String()
}

func keys(n int) string { return keysOf(n, "k%d: v\n") }

// keysOf returns n times the text that format makes of a number.
func keysOf(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// laughs returns frontmatter whose aliases expand to ten to the power of n.
func laughs(n int) string {
	var b strings.Builder
	b.WriteString("---\na0: &a0 ha\n")
	for i := range n {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	b.WriteString("---\nbody\n")
	return b.String()
}
