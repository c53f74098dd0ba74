package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"stratum"
)

// special are the bytes at which the text between links and tags ends.
var special = func() (t [256]bool) {
	for _, c := range []byte(`[]#()\` + "\n") {
		t[c] = true
	}
	return t
}()

// inlineReader finds the links and tags of a segment, line by line.
type inlineReader struct {
	*scanner
	start, end int
	code       int // index of the first code span that ends after the reader's offset

	bol    int         // offset where the current line begins
	lead   int         // and where its text does, after quote marks and blanks
	urls   bool        // the line holds "](", so its parentheses matter
	open   int         // offset of a "[[" that waits for its "]]", or -1
	opened int         // len(found) at that offset
	parens []openParen // those of the line that are not closed
	found  []occurrence
}

// openParen is an open parenthesis.
type openParen struct {
	url   bool // it begins a Markdown link's URL, so that no tag stands in it
	found int  // len(found) when it opened
}

// linksAndTags finds the links and tags of src[start:end] outside the code
// mask, whose spans from index code on may touch it.
func (s *scanner) linksAndTags(start, end, code int) {
	f := &s.find
	if min(f.next(&f.hash, start, '#'), f.next(&f.bracket, start, '[')) >= end {
		return
	}
	r := &s.reader
	*r = inlineReader{scanner: s, start: start, end: end, code: code, open: -1, parens: r.parens[:0], found: r.found[:0]}
	r.beginLine(start)
	for i := start; i < end; {
		if !special[s.src[i]] {
			i++
			continue
		}
		if e := r.codeEnd(i); e > i {
			i = e
			continue
		}
		i = r.at(i)
	}
	r.endLine()
}

// codeEnd returns the end of the code span that covers offset i, or i.
func (r *inlineReader) codeEnd(i int) int {
	code := r.note.Code
	for r.code < len(code) && code[r.code].End <= i {
		r.code++
	}
	if r.code < len(code) && code[r.code].Start <= i {
		return code[r.code].End
	}
	return i
}

// at reads the special byte at offset i and returns the offset to go on from.
func (r *inlineReader) at(i int) int {
	two := i+1 < r.end
	switch r.src[i] {
	case '\n':
		r.endLine()
		r.beginLine(i + 1)
	case '\\':
		// An escaped pipe stays: the link's own text reads it.
		if two && r.src[i+1] != '|' && isPunct(r.src[i+1]) {
			return i + 2
		}
	case '[':
		if two && r.src[i+1] == '[' && (i+2 >= r.end || r.src[i+2] != '[') {
			r.open, r.opened = i, len(r.found)
			return i + 2
		}
	case ']':
		if two && r.src[i+1] == ']' && r.open >= 0 {
			r.link(i)
			return i + 2
		}
		if two && r.src[i+1] == '(' && r.urls {
			r.parens = append(r.parens, openParen{true, len(r.found)})
			return i + 2
		}
	case '(':
		if r.urls {
			r.parens = append(r.parens, openParen{false, 0})
		}
	case ')':
		r.closeParen()
	case '#':
		return r.tag(i)
	}
	return i + 1
}

// closeParen forgets the tags inside the Markdown URL that ends here.
func (r *inlineReader) closeParen() {
	if n := len(r.parens); n > 0 {
		if p := r.parens[n-1]; p.url {
			r.found = r.found[:min(len(r.found), p.found)]
		}
		r.parens = r.parens[:n-1]
	}
}

func (r *inlineReader) beginLine(i int) {
	r.bol, r.open = i, -1
	r.parens = r.parens[:0]
	rest := r.src[i:r.end]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	r.urls = strings.Contains(rest, "](")
	r.lead = r.end - len(strings.TrimLeft(r.src[i:r.end], " \t>"))
}

// endLine adds the tags that the line turned out to hold.
func (r *inlineReader) endLine() {
	for _, o := range r.found {
		r.addTag(o)
	}
	r.found = r.found[:0]
}

// addTag records an inline tag of the open block.
func (s *scanner) addTag(o occurrence) {
	i := s.tags.add(o.name)
	for len(s.tagBlock) <= i {
		s.tagBlock = append(s.tagBlock, -1)
	}
	if s.tagBlock[i] != s.cur {
		s.tagBlock[i] = s.cur
		b := &s.note.Blocks[s.cur]
		b.Tags = append(b.Tags, s.tags.list[i])
	}
	if s.inline != nil {
		*s.inline = append(*s.inline, o)
	}
}

// link records the link that ends with the "]]" at offset i.
func (r *inlineReader) link(i int) {
	open := r.open
	r.open = -1
	r.found = r.found[:min(len(r.found), r.opened)]
	table := r.kind == table || r.src[r.lead] == '|'
	target, display := splitLink(r.src[open+2:i], table)
	if target == "" {
		return
	}
	r.addLink(stratum.Link{
		Target: target, Display: display, Block: r.cur,
		Position: r.runes.count(r.src, open),
		Span:     stratum.Span{Start: open, End: i + 2},
		Embed:    open > r.start && r.src[open-1] == '!' && !isEscaped(r.src, r.start, open-1),
	})
}

// addLink appends l. The first makes room for as many as the text may hold.
func (s *scanner) addLink(l stratum.Link) {
	if s.note.Links == nil {
		n := strings.Count(s.src[l.Span.Start:], "[[")
		s.note.Links = make([]stratum.Link, 0, min(n, maxFirstLinks))
	}
	s.note.Links = append(s.note.Links, l)
}

// maxFirstLinks bounds the room for links that is made at once.
const maxFirstLinks = 64

// splitLink cuts a link's text at its last pipe, as the app does. In a table
// an escaped pipe separates too; elsewhere it is a pipe in the text.
func splitLink(text string, table bool) (target, display string) {
	if strings.IndexByte(text, '|') < 0 {
		return strings.TrimSpace(text), ""
	}
	at := strings.LastIndexByte(text, '|')
	for !table && at > 0 && text[at-1] == '\\' {
		at = strings.LastIndexByte(text[:at-1], '|')
	}
	if at < 0 {
		return strings.TrimSpace(unescapePipes(text)), ""
	}
	target, display = text[:at], text[at+1:]
	if table {
		target = strings.TrimSuffix(target, `\`)
	}
	return strings.TrimSpace(unescapePipes(target)), strings.TrimSpace(unescapePipes(display))
}

func unescapePipes(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return strings.ReplaceAll(s, `\|`, "|")
}

func isPunct(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && c != 0x7f && !isLetter(c) && !isDigit(c)
}

// tag reads the tag that the "#" at offset i may begin.
func (r *inlineReader) tag(i int) int {
	if !r.tagMayStart(i) {
		return i + 1
	}
	n := tagLength(r.src[i+1 : r.end])
	name := r.src[i+1 : i+1+n]
	if isTagName(name) {
		r.found = append(r.found, occurrence{name, stratum.Span{Start: i, End: i + 1 + n}})
	}
	return i + 1 + n
}

// tagMayStart reports whether a tag may begin at offset i: at the start of a
// line, after white space or "(" (decision 6.3).
func (r *inlineReader) tagMayStart(i int) bool {
	if i == r.bol {
		return true
	}
	switch c := r.src[i-1]; {
	case c == ' ' || c == '\t':
		return !r.definition(i)
	case c == '(':
		return true
	case c == '>':
		return i == r.lead
	case c < utf8.RuneSelf:
		return c == '\v' || c == '\f' || c == '\r'
	}
	c, _ := utf8.DecodeLastRuneInString(r.src[r.bol:i])
	return unicode.IsSpace(c)
}

// definition reports whether only "[label]:" and blanks stand before offset i
// on its line, so that a URL begins there.
func (r *inlineReader) definition(i int) bool {
	if r.lead >= i || r.src[r.lead] != '[' || r.src[r.lead+1] == '^' {
		return false
	}
	lead := r.src[r.lead:i]
	end := strings.IndexByte(lead, ']')
	return end > 0 && strings.HasPrefix(lead[end:], "]:") && strings.Trim(lead[end+2:], " \t") == ""
}
