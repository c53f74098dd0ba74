package markdown

import (
	"strings"

	"stratum"
)

// kind says what the open block is.
type kind uint8

const (
	none kind = iota
	paragraph
	listItem
	quote
	table
	verbatimBlock // fenced code or HTML, whose lines the verbatim state reads
	indentedCode
)

// scanner reads a note's body line by line. It holds one open block, the list
// items that enclose the current line, and the text of the open block that
// waits to be searched for code, links and tags (the segment).
type scanner struct {
	src    string
	note   *stratum.Note
	inline *[]occurrence // nil when the caller wants no occurrences
	tags   tagSet
	// tagBlock is, by index in tags, the last block that was given the tag.
	tagBlock []int

	kind      kind
	cur       int  // the open block's index; meaningless when kind is none
	separated bool // blank lines stand between the open block's last line and this one
	pieces    []piece
	depth     int  // quote marks before the open block's last line
	text      bool // its last line is a paragraph's, which the next may continue
	quoteList bool // a list is open inside the open quote
	verb      verbatim

	items     []item
	parents   []parent
	lastChild []int // by parent's index + 1; the last child's index, or -1
	segment   stratum.Span
	hasText   bool // segment is in use

	find   finder
	reader inlineReader
	runes  runeCounter
}

// item is a list item that encloses the current line.
type item struct {
	indent  int // column of the marker
	content int // column of the text after it
	ordered bool
}

// parent is a block that may enclose a deeper one.
type parent struct{ indent, block int }

// piece is one line's share of an item's content.
type piece struct {
	span     stratum.Span
	verbatim bool // inside fenced code: white space counts
}

func newScanner(src string, note *stratum.Note, inline *[]occurrence) *scanner {
	return &scanner{src: src, note: note, inline: inline, lastChild: []int{-1}, find: newFinder(src)}
}

// blocks reads the body from the offset body on.
func (s *scanner) blocks(body int) {
	s.note.Blocks = make([]stratum.Block, 0, 1+min((len(s.src)-body)/256, 1024))
	for at := body; at < len(s.src); {
		l := readLine(s.src, at)
		at = l.next
		switch {
		case s.verb.active && s.continueVerbatim(l):
		case l.blank:
			s.blankLine()
		default:
			s.line(l)
			s.separated = false
		}
	}
	s.close()
}

// blankLine ends every paragraph. List items and indented code may go on.
func (s *scanner) blankLine() {
	s.flush()
	s.text, s.separated, s.quoteList = false, true, false
	if s.kind != listItem && s.kind != indentedCode {
		s.close()
	}
}

// line reads a line that is neither blank nor inside fenced code or HTML.
func (s *scanner) line(l line) {
	t := s.src[l.text:l.end]
	if s.kind == paragraph && l.indent <= s.outerIndent()+3 && s.underline(l, t) {
		return
	}
	if b := bulletAt(t); b.width > 0 && s.startsItem(l, b) {
		s.openItem(l, b)
		return
	}
	if s.continues(l, t) {
		return
	}
	s.close()
	inList := s.leaveItems(l)
	s.openBlock(l, t, inList)
}

// underline makes the open paragraph a heading when l underlines it.
func (s *scanner) underline(l line, t string) bool {
	level := setextLevel(t)
	if level == 0 {
		return false
	}
	b := &s.note.Blocks[s.cur]
	end := b.Span.End
	b.Span.End = l.next
	b.HeadingLevel = level
	s.flush()
	b.Content = s.content(b.Span.Start, end)
	s.kind = none
	return true
}

// startsItem reports whether the marker b at l begins a list item rather than
// going on with the paragraph before it.
func (s *scanner) startsItem(l line, b bullet) bool {
	if s.separated || !s.text || s.kind != paragraph && s.kind != listItem {
		return true
	}
	if s.kind == paragraph && b.bare {
		return false
	}
	if !b.ordered || b.one {
		return true
	}
	for _, it := range s.items {
		if it.ordered && it.indent == l.indent {
			return true
		}
	}
	return false
}

// continues gives the line l to the open block if it belongs to it.
func (s *scanner) continues(l line, t string) bool {
	switch s.kind {
	case listItem:
		own := s.items[len(s.items)-1].indent
		if l.indent <= own && (s.separated || !s.text || s.interrupts(l, t)) {
			return false
		}
		s.itemLine(l, t)
	case paragraph:
		if s.interrupts(l, t) || isTask(t) || s.startsTable(l, t, true) {
			return false
		}
		s.extend(l)
		s.addText(l.start, l.next)
	case quote:
		if t[0] != '>' && (!s.text || s.interrupts(l, t)) {
			return false
		}
		s.extend(l)
		s.leaf(l, l.start, 0)
	case table:
		if s.interrupts(l, t) {
			return false
		}
		s.extend(l)
		s.flush()
		s.addText(l.start, l.next)
	case indentedCode:
		if l.indent < 4 {
			return false
		}
		s.extend(l)
		s.codeLine(l, t)
	default:
		return false
	}
	return true
}

// interrupts reports whether l begins a block even directly after a
// paragraph's line. Bullets are read before.
func (s *scanner) interrupts(l line, t string) bool {
	if l.indent > 3 && len(s.items) == 0 {
		return false
	}
	switch t[0] {
	case '#':
		level, _ := atx(t)
		return level > 0
	case '>':
		return true
	case '`', '~':
		_, n := fenceOpener(t)
		return n > 0
	case '-', '*', '_':
		return isThematicBreak(t)
	case '<':
		k := s.htmlStart(l.text, l.end)
		return k != htmlNone && k != htmlAnyTag
	}
	return false
}

// startsTable reports whether l is a table's head, which the next line shows.
func (s *scanner) startsTable(l line, t string, inParagraph bool) bool {
	if inParagraph && t[0] != '|' || strings.IndexByte(t, '|') < 0 || l.next >= len(s.src) {
		return false
	}
	n := readLine(s.src, l.next)
	return !n.blank && isDelimiterRow(s.src[n.text:n.end])
}

// leaveItems closes the list items that l does not lie under, and reports
// whether a list was open before.
func (s *scanner) leaveItems(l line) (wasOpen bool) {
	wasOpen = len(s.items) > 0
	for len(s.items) > 0 && s.items[len(s.items)-1].indent >= l.indent {
		s.items = s.items[:len(s.items)-1]
	}
	return wasOpen
}

// outerIndent is the column of the text of the innermost open item.
func (s *scanner) outerIndent() int {
	if len(s.items) == 0 {
		return 0
	}
	return s.items[len(s.items)-1].content
}

// codeLine masks a line of indented code. A fence in it is only text, but what
// it encloses is code even where it looks like a bullet.
func (s *scanner) codeLine(l line, t string) {
	if _, n := fenceOpener(t); n > 0 {
		s.openFence(l, l.text, 4, 0)
		return
	}
	s.mask(l.start, l.next)
}

// openBlock begins the block, other than a list item, whose first line is l.
func (s *scanner) openBlock(l line, t string, inList bool) {
	indent := 0
	if len(s.items) > 0 {
		indent = l.indent
	}
	if l.indent > 3 && !inList {
		s.open(indentedCode, l, 0)
		s.codeLine(l, t)
		return
	}
	level, content := atx(t)
	_, fence := fenceOpener(t)
	switch {
	case level > 0:
		s.open(none, l, indent)
		b := &s.note.Blocks[s.cur]
		b.HeadingLevel = level
		b.Content = trimATX(t[content:])
		s.addText(l.text+content, l.next)
		s.flush()
	case isThematicBreak(t):
		s.open(none, l, indent)
		s.note.Blocks[s.cur].Content = strings.TrimSpace(t)
	case fence > 0:
		s.open(verbatimBlock, l, indent)
		base := s.verbatimBase(l.indent, leafPlace{})
		if len(s.items) == 0 && l.indent > 3 {
			base = 4 // nothing encloses it but the indentation
		}
		s.openFence(l, l.text, base, 0)
	case t[0] == '<' && s.htmlStart(l.text, l.end) != htmlNone:
		s.open(verbatimBlock, l, indent)
		s.openHTML(l, l.text, s.verbatimBase(l.indent, leafPlace{}), 0)
	case t[0] == '>':
		s.open(quote, l, indent)
		s.leaf(l, l.start, 0)
	case s.startsTable(l, t, false):
		s.open(table, l, indent)
		s.addText(l.start, l.next)
	default:
		s.open(paragraph, l, indent)
		s.text = true
		s.addText(l.start, l.next)
	}
}
