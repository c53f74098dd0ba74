package markdown

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"stratum"
)

// show writes the blocks as an outline: depth, marks in brackets, content.
func show(note *stratum.Note) []string {
	out := []string{}
	depth := make([]int, len(note.Blocks))
	for i, b := range note.Blocks {
		if b.Parent >= 0 {
			depth[i] = depth[b.Parent] + 1
		}
		var marks []string
		if b.HeadingLevel > 0 {
			marks = append(marks, fmt.Sprintf("h%d", b.HeadingLevel))
		}
		if b.Marker != "" {
			marks = append(marks, b.Marker+b.Priority)
		}
		line := strings.Repeat("  ", depth[i])
		if len(marks) > 0 {
			line += "[" + strings.Join(marks, " ") + "] "
		}
		out = append(out, line+b.Content)
	}
	return out
}

func TestBlocks(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"empty note", "", []string{}},
		{"blank lines only", "\n \t\n", []string{}},
		{"bullets nest by indent", "- a\n  - b\n    - c\n  - d\n- e\n", []string{"a", "  b", "    c", "  d", "e"}},
		{"one space is deeper", "- a\n - b\n", []string{"a", "  b"}},
		{"less indent after more is a sibling", "   - a\n - b\n", []string{"a", "b"}},
		{"tabs indent", "- a\n\t- b\n\t\t- c\n", []string{"a", "  b", "    c"}},
		{"other markers", "* a\n+ b\n1. c\n2) d\n", []string{"a", "b", "c", "d"}},
		{"continuation lines are trimmed", "- a\n  b\n    c\nd\n- e\n", []string{"a\nb\nc\nd", "e"}},
		{"an empty bullet", "- \n-\n- a\n", []string{"", "", "a"}},
		{"no bullet without a space", "-a\n", []string{"-a"}},
		{"a bullet ends at a blank line and text not under it", "- a\n\nb\n", []string{"a", "b"}},
		{"text under a bullet stays after a blank line", "- a\n\n  b\n", []string{"a\nb"}},
		{"text under the parent becomes its child", "- a\n  - b\n\n  c\n", []string{"a", "  b", "  c"}},
		{"a heading ends a bullet", "- a\n# b\n- c\n", []string{"a", "[h1] b", "c"}},
		{"a deeper bullet is a heading's child", "# a\n  - b\n- c\n", []string{"[h1] a", "  b", "c"}},
		{"a deeper bullet is a paragraph's child", "a\n  - b\n", []string{"a", "  b"}},
		{"headings", "# a\n### b ###\n###### c\n####### d\n#e\n#\n", []string{"[h1] a", "[h3] b", "[h6] c", "####### d\n#e", "[h1] "}},
		{"underlined headings", "a\n===\nb\nc\n---\n", []string{"[h1] a", "[h2] b\nc"}},
		{"one dash is a bullet", "a\n- \n-\n- b\n", []string{"a", "", "", "b"}},
		{"other markers alone are text", "a\n*\n+\n1.\n", []string{"a\n*\n+\n1."}},
		{"a rule is a block", "a\n\n---\n***\nb\n", []string{"a", "---", "***", "b"}},
		{"a rule is no bullet", "- - -\n* * *\n", []string{"- - -", "* * *"}},
		{"a paragraph is one block", "a\n b\nc\n\nd\n", []string{"a\n b\nc", "d"}},
		{"a number other than 1 is text", "In\n1984. x\n", []string{"In\n1984. x"}},
		{"the number 1 is an item", "In\n1. x\n2. y\n", []string{"In", "x", "y"}},
		{"a fence is one block", "```go\n- a\n\n# b\n.id: c\n```\nd\n", []string{"```go\n- a\n\n# b\n.id: c\n```", "d"}},
		{"a fence ends only at its like", "~~~\n```\n- a\n~~~~\nb\n", []string{"~~~\n```\n- a\n~~~~", "b"}},
		{"an unclosed fence reaches the end", "```\n- a\n\n- b\n\n", []string{"```\n- a\n\n- b"}},
		{"a fence in an item", "- a\n  ```\n    - x\n\n  .id: y\n  ```\n  b\n- c\n", []string{"a\n```\n  - x\n\n.id: y\n```\nb", "c"}},
		{"a fence as an item", "- ```js\n  x\n  ```\n- b\n", []string{"```js\nx\n```", "b"}},
		{"a fence ends with its item", "- a\n  ```\n  x\n- b\n", []string{"a\n```\nx", "b"}},
		{"an indented fence", "    ```\n    - a\n    ```\n- b\n", []string{"```\n    - a\n    ```", "b"}},
		{"a quote is one block", "> - a\n> # b\n> ```\n> - c\n> ```\nd\n\ne\n", []string{"> - a\n> # b\n> ```\n> - c\n> ```", "d", "e"}},
		{"a quote goes on without its mark", "> a\nb\n- c\n", []string{"> a\nb", "c"}},
		{"a table is one block", "a | b\n--|--\nTODO | x\n1 | 2\n\nc\n", []string{"a | b\n--|--\nTODO | x\n1 | 2", "c"}},
		{"a table after text", "a\n| b |\n|---|\n| c |\n", []string{"a", "| b |\n|---|\n| c |"}},
		{"an HTML block is one block", "<div>\n- a\n</div>\n\n- b\n", []string{"<div>\n- a\n</div>", "b"}},
		{"an HTML comment holds blank lines", "<!-- a\n\n- b\n-->\nc\n", []string{"<!-- a\n\n- b\n-->", "c"}},
		{"indented code", "    a\n\n    b\nc\n", []string{"a\n\n    b", "c"}},
		{"bullets win over indented code", "    - a\n", []string{"a"}},
		{"tasks", "- TODO a\n- A DOING b\n- C c\n- TODOs\n", []string{"[TODO] a", "[DOINGA] b", "C c", "TODOs"}},
		{"task lines are blocks", "A TODO a\nDONE b\nc\n", []string{"[TODOA] a", "[DONE] b\nc"}},
		{"a heading keeps its words", "# TODO\n", []string{"[h1] TODO"}},
		{"CRLF", "# a\r\n- b\r\n  c\r\n\r\nd\r\ne\r\n", []string{"[h1] a", "b\nc", "d\ne"}},
		{"BOM", "\ufeff- a\n", []string{"a"}},
		{"white space beyond ASCII is blank", "- a\n\u00a0\nb\n", []string{"a", "b"}},
		{"invalid UTF-8", "- \xff\n", []string{"\xff"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse(tt.src)
			if diff := cmp.Diff(tt.want, show(note)); diff != "" {
				t.Errorf("Parse(%q): -want +got\n%s", tt.src, diff)
			}
			if err := checkNote(tt.src, note); err != nil {
				t.Errorf("Parse(%q): %v", tt.src, err)
			}
		})
	}
}

func TestProperties(t *testing.T) {
	const id = "65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f"
	tests := []struct {
		name, src string
		want      stratum.Block
	}{
		{
			"all of the app's", "- A block\n  continuation line\n  .marker: todo\n  .priority: a\n  .heading-level: 2\n" +
				"  .deadline: 2026-07-01\n  .question:: true\n  .collapsed: true\n  .id: " + strings.ToUpper(id) + "\n",
			stratum.Block{
				ID: id, Content: "A block\ncontinuation line", Marker: "TODO", Priority: "A", HeadingLevel: 2, Collapsed: true,
				Properties: map[string]string{"deadline": "2026-07-01", "question": "true"},
			},
		},
		{"heading is heading-level", "- a\n  .heading: 3\n", stratum.Block{Content: "a", HeadingLevel: 3}},
		{"not indented", "- a\n.k: v\n", stratum.Block{Content: "a", Properties: map[string]string{"k": "v"}}},
		{"after a blank line", "- a\n\n  .k: v\n", stratum.Block{Content: "a", Properties: map[string]string{"k": "v"}}},
		{"no value", "- a\n  .k:\n", stratum.Block{Content: "a", Properties: map[string]string{"k": ""}}},
		{"the last of two", "- a\n  .k: 1\n  .k: 2\n", stratum.Block{Content: "a", Properties: map[string]string{"k": "2"}}},
		{"invalid fields are ignored", "- a\n  .id: x\n  .marker: y\n  .priority: z\n  .heading-level: 7\n", stratum.Block{Content: "a"}},
		{"an invalid id does not undo one", "- a\n  .id: " + id + "\n  .id: x\n", stratum.Block{ID: id, Content: "a"}},
		{"the property's marker wins", "- TODO a\n  .marker: DONE\n", stratum.Block{Content: "TODO a", Marker: "DONE"}},
		{"the British spelling", "- CANCELED a\n", stratum.Block{Content: "a", Marker: "CANCELLED"}},
		{"no property: a sentence", "- a\n  ...and then: b\n  . k: v\n  .net:x\n", stratum.Block{Content: "a\n...and then: b\n. k: v\n.net:x"}},
		{"no property: in a fence", "- a\n  ```\n  .k: v\n  ```\n", stratum.Block{Content: "a\n```\n.k: v\n```"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Parent, tt.want.Left = -1, -1
			tt.want.Span = stratum.Span{End: len(tt.src)}
			if diff := cmp.Diff([]stratum.Block{tt.want}, Parse(tt.src).Blocks); diff != "" {
				t.Errorf("Parse(%q): -want +got\n%s", tt.src, diff)
			}
		})
	}
}

// Content that stands in the source as it is shares the source's memory.
func TestContentIsShared(t *testing.T) {
	src := strings.Clone("# head\n- item\n\npara\nof two lines\n\n> quote\n> two\n```\ncode\n```\n")
	at := uintptr(unsafe.Pointer(unsafe.StringData(src)))
	for _, b := range Parse(src).Blocks {
		if p := uintptr(unsafe.Pointer(unsafe.StringData(b.Content))); p < at || p >= at+uintptr(len(src)) {
			t.Errorf("the content %q is a copy", b.Content)
		}
	}
}
