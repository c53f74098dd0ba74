package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinks(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // target|display@position/block, ! before an embed
	}{
		{"a link", "See [[Note]] now\n", []string{"Note|@4/0"}},
		{"shown text", "[[ a b | c d ]]\n", []string{"a b|c d@0/0"}},
		{"heading and block stay", "[[a#b|c]] [[d^e]] [[#f]]\n", []string{"a#b|c@0/0", "d^e|@10/0", "#f|@18/0"}},
		{"an embed", "![[a]] \\![[b]]\n", []string{"!a|@1/0", "b|@9/0"}},
		{"several", "[[a]][[b]]\n", []string{"a|@0/0", "b|@5/0"}},
		{"the last pipe separates", "[[a|b|c]]\n", []string{"a|b|c@0/0"}},
		{"an escaped pipe is text", `[[a\|b]] [[a\|b|c]]`, []string{"a|b|@0/0", "a|b|c@9/0"}},
		{"an escaped pipe in a table separates", "| x |\n|---|\n| [[a\\|b]] |\n", []string{"a|b@14/0"}},
		{"also in an item's table", "- x\n  | [[a\\|b]] |\n", []string{"a|b@8/0"}},
		{"an unclosed link ends at the line", "[[a\nb]] [[c]]\n", []string{"c|@8/0"}},
		{"the innermost of nested", "[[a [[b]] c]] [[[d]]] [[[[e]]]]\n", []string{"b|@4/0", "d|@15/0", "e|@24/0"}},
		{"nothing in it", "[[]] [[ ]] [[|a]]\n", nil},
		{"escaped", `\[[a]] [\[b]]`, nil},
		{"not in code", "`[[a]]` ``[[b` ]]`` [[c]]\n\n    [[d]]\n", []string{"c|@20/0"}},
		{"code covers the end", "[[a `b]]` c]]\n", []string{"a `b]]` c|@0/0"}},
		{"code in the target", "[[a `b` c]]\n", []string{"a `b` c|@0/0"}},
		{"in HTML, not in its tags", "<div>\n[[a]] <i x=\"[[b]]\">[[c]]</i>\n</div>\n", []string{"a|@6/0", "c|@25/0"}},
		{"not in comments", "<!-- [[a]] --> %%[[b]]%% [[c]]\n%%\n[[d]]\n\n[[e]]\n%%\n[[f]]\n", []string{"c|@25/0", "f|@50/2"}},
		{"positions are characters", "é🙂\xff [[a]] 漢 [[b]]\n", []string{"a|@4/0", "b|@12/0"}},
		{"in blocks", "# [[a]]\n- [[b]]\n  [[c]]\n\n> [[d]]\n", []string{"a|@2/0", "b|@10/1", "c|@18/1", "d|@27/2"}},
		{"in a property", "- x\n  .up: [[a]]\n", []string{"a|@11/0"}},
		{"BOM", "\ufeff[[a]]", []string{"a|@1/0"}},
		{"in frontmatter", "---\nup: \"[[a|b]]\" # [[no]]\n# [[no]]\n'[[key]]': x\n---\n[[c]]\n", []string{"a|b@9/-1", "c|@53/0"}},
		{"in frontmatter, lists", "---\nl:\n  - '[[a]]'\n  - x [[b]] y\nf: [ \"[[c]]\", \"[[d]]\" ]\n---\n", []string{"a|@12/-1", "b|@25/-1", "c|@39/-1", "d|@48/-1"}},
		{"in frontmatter, bare", "---\nup: [[a]]\nm: [[1, 2], [3]]\n---\n", []string{"a|@8/-1"}},
		{"in frontmatter, text of lines", "---\nd: |\n  [[a]]\n  # [[b]]\ne: 1 # [[no]]\n---\n", []string{"a|@11/-1", "b|@21/-1"}},
		{"in frontmatter that does not parse", "---\nup: [[a]], [[b]] # [[no]]\n---\n", []string{"a|@8/-1", "b|@15/-1"}},
		{"in frontmatter, CRLF and wide characters", "\ufeff---\r\né: \"漢 [[a]]\"\r\n---\r\n[[b]]", []string{"a|@12/-1", "b|@25/0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse(tt.src)
			var got []string
			for _, l := range note.Links {
				embed := ""
				if l.Embed {
					embed = "!"
				}
				got = append(got, fmt.Sprintf("%s%s|%s@%d/%d", embed, l.Target, l.Display, l.Position, l.Block))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("links of %q: -want +got\n%s", tt.src, diff)
			}
			if err := checkNote(tt.src, note); err != nil {
				t.Errorf("Parse(%q): %v", tt.src, err)
			}
		})
	}
}

func TestInlineTags(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"where a tag may stand", "#a x #b\t#c (#d) x#no .#no", []string{"a", "b", "c", "d"}},
		{"after markers", "- #a\n> #b\n>#c\n# #d\n1. #e", []string{"a", "b", "c", "d", "e"}},
		{"its characters", "#a-b_c/d1 #é漢字 #हिन्दी #a.b #c:d #e!", []string{"a-b_c/d1", "é漢字", "हिन्दी", "a", "c", "e"}},
		{"emoji", "#🙂 #a❤️ #👩‍💻x #🏳️‍🌈 #1️⃣", []string{"🙂", "a❤️", "👩‍💻x", "🏳️‍🌈", "1️⃣"}},
		{"not only digits", "#1 #12/ #1a #2024-01", []string{"1a", "2024-01"}},
		{"not only marks", "#- #_ #/ #/a # ## #️", nil},
		{"no slash at the end", "#a/ #b// ", []string{"a", "b"}},
		{"once, without regard to case", "#Été #éTÉ #e\u0301te\u0301", []string{"Été"}},
		{"headings are none", "# Title\n##\n## x\n", nil},
		{"not in links", "[[#a]] [[b #c]] [d](#e) [f](x \"t #g\") [h](a(#b) #c) #i", []string{"i"}},
		{"an open bracket hides nothing", "[[a #b\n[c](#d e", []string{"b", "d"}},
		{"not in a link's definition", "[a]: #b\n[^c]: #d\n", []string{"d"}},
		{"not in code", "`#a` #b\n```\n#c\n```\n    #d\n\n> ```\n> #e\n\n#f", []string{"b", "f"}},
		{"not in tags and comments", "<a href= #a> <!-- #b --> %% #c %% #d", []string{"d"}},
		{"escaped", `\#a #\b`, nil},
		{"after an escape", `\` + "`#a #b`", []string{"b"}},
		{"not in frontmatter's other values", "---\nk: \"#a\"\ntags: [b]\n---\n#c", []string{"b", "c"}},
		{"frontmatter first", "---\ntags: [C, a]\ntag: b\n---\n#c #d\n", []string{"C", "a", "b", "d"}},
		{"CRLF", "#a\r\n#b\r\n", []string{"a", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := Parse(tt.src)
			if diff := cmp.Diff(tt.want, note.Tags); diff != "" {
				t.Errorf("tags of %q: -want +got\n%s", tt.src, diff)
			}
			if err := checkNote(tt.src, note); err != nil {
				t.Errorf("Parse(%q): %v", tt.src, err)
			}
		})
	}
}

func TestTagsOfBlocks(t *testing.T) {
	note := Parse("---\ntags: [x]\n---\n# h #a\n- b #A #c #a\n  d #x\n- e\n")
	var got []string
	for _, b := range note.Blocks {
		got = append(got, strings.Join(b.Tags, " "))
	}
	if want := []string{"a", "a c x", ""}; !slices.Equal(got, want) {
		t.Errorf("tags of the blocks: got %q, want %q", got, want)
	}
}

func TestCleanTag(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "#a/b": "a/b", " ##a/ ": "a", "#": "", "": "", "/": "", "# ": ""} {
		got, err := CleanTag(in)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("CleanTag(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestSplitTarget(t *testing.T) {
	for in, want := range map[string][2]string{
		"a": {"a", ""}, "a#b": {"a", "#b"}, "a #b c": {"a", "#b c"}, "#b": {"", "#b"}, "a^b": {"a", "^b"},
		"a#^b": {"a", "#^b"}, "a#b^c": {"a", "#b^c"}, "": {"", ""},
	} {
		if page, fragment := SplitTarget(in); [2]string{page, fragment} != want {
			t.Errorf("SplitTarget(%q) = %q, %q; want %q", in, page, fragment, want)
		}
	}
}
