package markdown

import "slices"

// maxMarkers is how many list markers may stand on one line; more are text.
const maxMarkers = 32

// leaf reads what follows the outermost marker of a line in a list item or a
// quote, from offset at and column col on: deeper quote and list markers, then
// text, code or HTML.
func (s *scanner) leaf(l line, at, col int) {
	depth, markers := 0, 0
	base := col
	for {
		q, c := skipBlank(s.src, at, l.end, col)
		if q == l.end {
			s.flush()
			s.depth, s.text, s.quoteList = depth, false, s.quoteList && depth > 0
			return
		}
		t := s.src[q:l.end]
		if t[0] == '>' && (c-col <= 3 || s.kind == listItem) {
			depth++
			at, col, base = q+1, 0, 0
			if at < l.end && s.src[at] == ' ' {
				at++
			}
			continue
		}
		if markers == maxMarkers || depth == 0 && at <= l.text {
			s.leafText(l, q, c, leafPlace{depth, base, c - col, markers > 0})
			return
		}
		if b := bulletAt(t); b.width > 0 && s.leafItem(b) {
			markers++
			at = q + b.width
			col = c + b.width
			if _, base = skipBlank(s.src, at, l.end, col); base-col > 4 || b.empty {
				base = col + 1
			}
			s.flush()
			s.quoteList = s.quoteList || depth > 0
			continue
		}
		s.leafText(l, q, c, leafPlace{depth, base, c - col, markers > 0})
		return
	}
}

// leafItem reports whether the marker b inside a quote or after another marker
// begins an item rather than going on with the paragraph before it.
func (s *scanner) leafItem(b bullet) bool {
	return !s.text || s.kind == listItem || s.quoteList || !b.bare && (!b.ordered || b.one)
}

// leafPlace says where a leaf's text stands.
type leafPlace struct {
	depth  int  // quote marks before it
	base   int  // column, after the last quote mark, that a verbatim line must reach
	indent int  // columns of blanks directly before it
	marked bool // a list marker stands between
}

// leafText reads the text at offset q, column c, of a line in a list item or a
// quote.
func (s *scanner) leafText(l line, q, c int, p leafPlace) {
	t := s.src[q:l.end]
	switch {
	case p.depth != s.depth && (p.depth > s.depth || !s.text || s.leafInterrupts(q, l.end)):
		s.flush()
		s.text = false
	case p.marked:
		s.text = false
	}
	if p.depth >= s.depth || !s.text {
		s.depth = p.depth
	}
	if s.quoteList && !s.text && !p.marked && p.indent < 2 {
		s.quoteList = false
	}
	if s.kind == quote && p.indent >= 4 && !s.text && !s.quoteList {
		s.flush()
		s.mask(q, l.next)
		return
	}
	if _, n := fenceOpener(t); n > 0 {
		s.flush()
		s.openFence(l, q, s.verbatimBase(c, p), p.depth)
		return
	}
	if t[0] == '<' {
		if k := s.htmlStart(q, l.end); k != htmlNone && (k != htmlAnyTag || !s.text) {
			s.flush()
			s.openHTML(l, q, s.verbatimBase(c, p), p.depth)
			return
		}
	}
	level, _ := atx(t)
	single := level > 0 || isThematicBreak(t) || s.text && setextLevel(t) > 0
	if single || t[0] == '|' {
		s.flush()
	}
	s.addText(q+level, l.next)
	if single {
		s.flush()
	}
	s.text = !single
}

// leafInterrupts is [scanner.interrupts] for a leaf's text.
func (s *scanner) leafInterrupts(q, end int) bool {
	t := s.src[q:end]
	level, _ := atx(t)
	_, fence := fenceOpener(t)
	return level > 0 || fence > 0 || isThematicBreak(t)
}

// verbatimBase returns the column that the lines of fenced code or HTML must
// reach to belong to the same container as its first line at column c.
func (s *scanner) verbatimBase(c int, p leafPlace) int {
	if p.depth > 0 || p.marked || len(s.items) == 0 {
		return min(p.base, c)
	}
	for _, it := range slices.Backward(s.items) {
		if it.content <= c {
			return it.content
		}
	}
	return 0
}

// addText adds src[start:end] to the segment. Only text that follows it
// directly, or with markers and blanks between, comes next.
func (s *scanner) addText(start, end int) {
	if !s.hasText {
		s.segment.Start, s.hasText = start, true
	}
	s.segment.End = end
}

// flush searches the segment for code, links and tags.
func (s *scanner) flush() {
	if !s.hasText {
		return
	}
	s.hasText = false
	s.search(s.segment.Start, s.segment.End, false)
}

// stripQuotes skips n quote marks from at on. It returns the offset and the
// column of the text after them; ok is false when there are fewer.
func stripQuotes(src string, at, end, n int) (text, column int, ok bool) {
	col := 0
	for ; n > 0; n-- {
		q, _ := skipBlank(src, at, end, 0)
		if q == end || src[q] != '>' {
			return at, 0, false
		}
		at, col = q+1, 0
		if at < end && src[at] == ' ' {
			at++
		}
	}
	at, col = skipBlank(src, at, end, col)
	return at, col, true
}
