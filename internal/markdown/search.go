package markdown

import (
	"strings"
	"unicode/utf8"
)

// finder finds the next of the characters that matter, each over the source
// once.
type finder struct {
	src                      string
	tick, less, percent      int
	hash, bracket            int
	noComment, noPI, noCDATA bool               // not in the rest of the segment
	noPercent                bool               // no further "%%" in the segment
	noPercentAtAll           bool               // nor in the rest of the source
	ticksSeen                bool               // lastTicks holds for the rest of the segment
	lastTicks                *[maxTicks + 1]int // nil until needed
}

// maxTicks is the longest run of backticks that delimits a code span; longer
// ones are text, as in the reference implementation.
const maxTicks = 80

func newFinder(src string) finder {
	return finder{src: src, tick: -1, less: -1, percent: -1, hash: -1, bracket: -1}
}

// next returns the offset of the first b at or after from; len(src) if none.
// at remembers it between calls.
func (f *finder) next(at *int, from int, b byte) int {
	if *at < from {
		*at = len(f.src)
		if i := strings.IndexByte(f.src[from:], b); i >= 0 {
			*at = from + i
		}
	}
	return *at
}

// index returns the offset of sub in src[from:end], or -1; missing remembers
// that the segment holds none after from.
func (f *finder) index(missing *bool, sub string, from, end int) int {
	if *missing || from > end {
		return -1
	}
	i := strings.Index(f.src[from:end], sub)
	if i < 0 {
		*missing = true
		return -1
	}
	return from + i
}

// search finds the code, links and tags of src[start:end], text of the open
// block. In HTML there are no code spans.
func (s *scanner) search(start, end int, html bool) {
	f := &s.find
	f.noComment, f.noPI, f.noCDATA, f.noPercent, f.ticksSeen = false, false, false, false, false
	first := len(s.note.Code)
	if first > 0 && s.note.Code[first-1].End > start {
		first-- // a comment that began in an earlier block reaches into this one
		start = min(end, s.note.Code[first].End)
	}
	for i := start; i < end; {
		less, percent := f.next(&f.less, i, '<'), f.next(&f.percent, i, '%')
		at := min(less, percent)
		if !html {
			at = min(at, f.next(&f.tick, i, '`'))
		}
		if at >= end {
			break
		}
		i = s.maskAt(at, start, end, html)
	}
	s.linksAndTags(start, end, first)
}

// maskAt masks what the character at offset at begins, and returns the offset
// to go on from.
func (s *scanner) maskAt(at, start, end int, html bool) int {
	escaped := !html && isEscaped(s.src, start, at)
	switch s.src[at] {
	case '`':
		if escaped {
			return at + 1
		}
		n := runLength(s.src[:end], at)
		if e := s.find.closingTicks(n, at+n, end); e > 0 {
			s.mask(at, e)
			return e
		}
		return at + n
	case '<':
		if escaped {
			return at + 1
		}
		return s.maskHTML(at, end, html)
	default:
		if escaped || at+1 >= end || s.src[at+1] != '%' {
			return at + 1
		}
		return s.maskPercent(at, start, end)
	}
}

// maskHTML masks the comment or tag that begins with the "<" at offset at.
func (s *scanner) maskHTML(at, end int, html bool) int {
	f := &s.find
	t := s.src[at:end]
	e := -1
	switch {
	case strings.HasPrefix(t, "<!-->"):
		e = at + 5
	case strings.HasPrefix(t, "<!--->"):
		e = at + 6
	case strings.HasPrefix(t, "<!--"):
		if e = f.index(&f.noComment, "-->", at+4, end); e >= 0 {
			e += 3
		} else if html {
			e = end
		}
	case strings.HasPrefix(t, "<?"):
		if e = f.index(&f.noPI, "?>", at+2, end); e >= 0 {
			e += 2
		}
	case strings.HasPrefix(t, "<![CDATA["):
		if e = f.index(&f.noCDATA, "]]>", at+9, end); e >= 0 {
			e += 3
		}
	case len(t) > 2 && t[1] == '!' && isLetter(t[2]):
		if i := strings.IndexAny(t[2:], "<>"); i >= 0 && t[2+i] == '>' {
			e = at + 2 + i + 1
		}
	default:
		if e = tagEnd(s.src, at, end); e == 0 {
			if e = autolinkEnd(s.src, at, end); e > 0 {
				return e
			}
			e = -1
		}
	}
	if e < 0 {
		return at + 1
	}
	s.mask(at, e)
	return e
}

// maskPercent masks the comment that begins with the "%%" at offset at. One
// that begins a line may end in a later block.
func (s *scanner) maskPercent(at, start, end int) int {
	f := &s.find
	e := f.index(&f.noPercent, "%%", at+2, end)
	if e < 0 && !f.noPercentAtAll && strings.TrimLeft(s.lineLead(start, at), " \t>") == "" {
		e = f.index(&f.noPercentAtAll, "%%", max(at+2, end), len(s.src))
	}
	if e < 0 {
		return at + 2
	}
	s.mask(at, e+2)
	return e + 2
}

// lineLead returns what stands before offset at on its line, no earlier than
// start.
func (s *scanner) lineLead(start, at int) string {
	return s.src[start+1+strings.LastIndexByte(s.src[start:at], '\n') : at]
}

// closingTicks returns the offset after the next run of exactly n backticks in
// src[from:end], or 0. What a search to the end saw is remembered, so that all
// searches of a segment take linear time together.
func (f *finder) closingTicks(n, from, end int) int {
	if n > maxTicks || f.ticksSeen && f.lastTicks[n] < from {
		return 0
	}
	if !f.ticksSeen {
		if f.lastTicks == nil {
			f.lastTicks = new([maxTicks + 1]int)
		}
		*f.lastTicks = [maxTicks + 1]int{}
	}
	for i := from; i < end; {
		j := strings.IndexByte(f.src[i:end], '`')
		if j < 0 {
			break
		}
		i += j
		m := runLength(f.src[:end], i)
		if m == n {
			return i + m
		}
		if m <= maxTicks {
			f.lastTicks[m] = i
		}
		i += m
	}
	f.ticksSeen = true
	return 0
}

// isEscaped reports whether an odd number of backslashes stands directly
// before src[at].
func isEscaped(src string, start, at int) bool {
	i := at
	for i > start && src[i-1] == '\\' {
		i--
	}
	return (at-i)%2 == 1
}

// runeCounter turns ascending byte offsets into character offsets.
type runeCounter struct{ at, runes int }

func (c *runeCounter) count(src string, at int) int {
	if at < c.at {
		*c = runeCounter{}
	}
	c.runes += utf8.RuneCountInString(src[c.at:at])
	c.at = at
	return c.runes
}
