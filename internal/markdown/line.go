package markdown

import (
	"strings"
	"unicode/utf8"
)

// line is one physical line of the source. Its text is src[start:end], without
// the newline and a "\r" before it; next is the offset after the newline.
type line struct {
	start, end, next int
	text             int // offset of the first byte that is no space or tab; end if blank
	indent           int // columns before text, a tab reaching the next multiple of four
	blank            bool
}

func readLine(src string, start int) line {
	l := line{start: start, end: len(src), next: len(src)}
	if i := strings.IndexByte(src[start:], '\n'); i >= 0 {
		l.end, l.next = start+i, start+i+1
	}
	if l.end > start && src[l.end-1] == '\r' {
		l.end--
	}
	l.text, l.indent = skipBlank(src, start, l.end, 0)
	l.blank = l.text == l.end || isBlankTail(src[l.text:l.end])
	return l
}

// isBlankTail reports whether s is white space only, beyond spaces and tabs.
func isBlankTail(s string) bool {
	if c := s[0]; c < utf8.RuneSelf && c > ' ' {
		return false
	}
	return strings.TrimSpace(s) == ""
}

// skipBlank skips spaces and tabs from i on, where column col is, and returns
// the offset and the column that it reaches.
func skipBlank(src string, i, end, col int) (at, column int) {
	for i < end {
		switch src[i] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return i, col
		}
		i++
	}
	return i, col
}

// atx returns the level of the heading that s, a line's text, opens and the
// offset of its content; 0 when it opens none.
func atx(s string) (level, content int) {
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level == 0 || level > 6 {
		return 0, 0
	}
	if level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, 0
	}
	return level, level
}

// trimATX cuts the closing marks off a heading's content.
func trimATX(s string) string {
	s = strings.TrimSpace(s)
	cut := strings.TrimRight(s, "#")
	if cut == "" {
		return ""
	}
	if len(cut) < len(s) && (cut[len(cut)-1] == ' ' || cut[len(cut)-1] == '\t') {
		return strings.TrimSpace(cut)
	}
	return s
}

// isThematicBreak reports whether s, a line's text, is three or more of "-",
// "*" or "_" and blanks.
func isThematicBreak(s string) bool {
	if s == "" {
		return false
	}
	c, n := s[0], 0
	if c != '-' && c != '*' && c != '_' {
		return false
	}
	for i := range len(s) {
		switch s[i] {
		case c:
			n++
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return n >= 3
}

// setextLevel returns 1 or 2 when s, a line's text, underlines a heading.
func setextLevel(s string) int {
	s = strings.TrimRight(s, " \t\r")
	switch {
	case s == "":
		return 0
	case s[0] == '=' && strings.Trim(s, "=") == "":
		return 1
	case s[0] == '-' && len(s) > 1 && strings.Trim(s, "-") == "":
		return 2 // a single "-" is an empty bullet, as in the app
	}
	return 0
}

// fenceOpener returns the fence's character and length when s, a line's text,
// opens fenced code.
func fenceOpener(s string) (char byte, n int) {
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	char, n = s[0], runLength(s, 0)
	if n < 3 || char == '`' && strings.IndexByte(s[n:], '`') >= 0 {
		return 0, 0
	}
	return char, n
}

// fenceCloses reports whether s, a line's text, closes a fence of n chars.
func fenceCloses(s string, char byte, n int) bool {
	if s == "" || s[0] != char {
		return false
	}
	m := runLength(s, 0)
	return m >= n && strings.TrimSpace(s[m:]) == ""
}

// runLength returns how often the byte s[i] stands from i on.
func runLength(s string, i int) int {
	j := i + 1
	for j < len(s) && s[j] == s[i] {
		j++
	}
	return j - i
}

// bullet is the marker of a list item.
type bullet struct {
	width   int  // bytes of the marker without the blanks after it; 0 is no bullet
	ordered bool // "1." or "1)"
	one     bool // the number is 1: the only one that may follow a paragraph's text
	empty   bool // nothing stands after it,
	bare    bool // not even a blank; such a marker, "-" aside, is text after text
}

// bulletAt reads the list marker at the start of s, a line's text.
func bulletAt(s string) bullet {
	if s == "" {
		return bullet{}
	}
	b := bullet{width: 1}
	switch c := s[0]; {
	case c == '-' || c == '*' || c == '+':
	case c >= '0' && c <= '9':
		i := 1
		for i < len(s) && i < 10 && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i > 9 || i == len(s) || s[i] != '.' && s[i] != ')' {
			return bullet{}
		}
		b = bullet{width: i + 1, ordered: true, one: s[:i] == "1"}
	default:
		return bullet{}
	}
	if len(s) > b.width && s[b.width] != ' ' && s[b.width] != '\t' {
		return bullet{}
	}
	if s[0] == '-' || s[0] == '*' {
		if isThematicBreak(s) {
			return bullet{}
		}
	}
	b.empty = strings.TrimSpace(s[b.width:]) == ""
	b.bare = len(s) == b.width && s[0] != '-'
	return b
}

// isDelimiterRow reports whether s is the row between a table's head and body.
func isDelimiterRow(s string) bool {
	dash, pipe := false, false
	for i := range len(s) {
		switch s[i] {
		case '-':
			dash = true
		case '|':
			pipe = true
		case ':', ' ', '\t', '\r':
		default:
			return false
		}
	}
	return dash && pipe
}
