package markdown

import "stratum"

// verbatim is the fenced code or HTML block that is being read. It lies in a
// quote, an item or a block of its own, and ends with its container.
type verbatim struct {
	active bool
	html   htmlKind // htmlNone for fenced code
	char   byte     // fenced code: the fence's character,
	length int      // its length,
	indent int      // and the column where it opened
	depth  int      // quote marks before each of its lines
	base   int      // column that its lines must reach
	span   stratum.Span
}

// openFence begins fenced code whose fence stands at offset q of l.
func (s *scanner) openFence(l line, q, base, depth int) {
	char, n := fenceOpener(s.src[q:l.end])
	_, col, _ := stripQuotes(s.src, l.start, l.end, depth)
	s.verb = verbatim{
		active: true, char: char, length: n, indent: max(col, base), depth: depth, base: base,
		span: stratum.Span{Start: q, End: l.next},
	}
	s.text = false
}

// openHTML begins the HTML block whose first tag stands at offset q of l.
func (s *scanner) openHTML(l line, q, base, depth int) {
	kind := s.htmlStart(q, l.end)
	s.verb = verbatim{
		active: true, html: kind, depth: depth, base: base,
		span: stratum.Span{Start: q, End: l.next},
	}
	s.text = false
	if kind.endsIn(s.src[q:l.end]) {
		s.endVerbatim()
	}
}

// continueVerbatim gives l to the verbatim block, or ends that and returns
// false because l lies outside.
func (s *scanner) continueVerbatim(l line) bool {
	v := &s.verb
	at, col, ok := stripQuotes(s.src, l.start, l.end, v.depth)
	blank := l.blank || ok && at == l.end
	if !ok || blank && v.html.endsAtBlank() || !blank && col < v.base {
		s.endVerbatim()
		return false
	}
	if l.blank {
		if s.kind == listItem {
			s.addPiece(l.end, l.end, true)
		}
		return true
	}
	s.extend(l)
	if s.kind == listItem {
		s.addPiece(s.dedent(l, v), l.end, true)
	}
	v.span.End = l.next
	t := s.src[at:l.end]
	if v.html == htmlNone && col <= v.indent+3 && fenceCloses(t, v.char, v.length) || v.html.endsIn(t) {
		s.endVerbatim()
	}
	return true
}

// dedent returns the offset where l's own text begins: as far to the right as
// the verbatim block's first line stood, or less.
func (s *scanner) dedent(l line, v *verbatim) int {
	if v.depth > 0 {
		return l.text
	}
	at, col := l.start, 0
	for at < l.text && col < max(v.indent, v.base) {
		_, col = skipBlank(s.src, at, at+1, col)
		at++
	}
	return at
}

// endVerbatim ends the verbatim block, and the block that is nothing else.
func (s *scanner) endVerbatim() {
	if !s.verb.active {
		return
	}
	s.verb.active = false
	if s.verb.html == htmlNone {
		s.mask(s.verb.span.Start, s.verb.span.End)
	} else {
		s.search(s.verb.span.Start, s.verb.span.End, true)
	}
	s.text = false
	if s.kind == verbatimBlock {
		s.close()
	}
}

// mask adds src[start:end] to the code mask. Calls come in ascending order of
// start.
func (s *scanner) mask(start, end int) {
	code := s.note.Code
	if n := len(code); n > 0 && start <= code[n-1].End {
		code[n-1].End = max(code[n-1].End, end)
		return
	}
	s.note.Code = append(code, stratum.Span{Start: start, End: end})
}
