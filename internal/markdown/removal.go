package markdown

import "strings"

// removals returns the patches that remove the inline tags gone, which are in
// document order. A careful removal takes a neighbouring blank, or the line
// that would be left empty, and keeps the rest of the line what it is.
func removals(src string, gone []occurrence, careful bool) []patch {
	var patches []patch
	for i := 0; i < len(gone); {
		if !careful {
			patches = append(patches, patch{gone[i].span.Start, gone[i].span.End, ""})
			i++
			continue
		}
		start := 1 + strings.LastIndexByte(src[:gone[i].span.Start], '\n')
		if start == 0 && strings.HasPrefix(src, bom) {
			start = len(bom)
		}
		l := readLine(src, start)
		j := i
		for j < len(gone) && gone[j].span.Start < l.next {
			j++
		}
		patches = append(patches, removeFromLine(src, l, gone[i:j])...)
		i = j
	}
	return patches
}

// removeFromLine removes the tags gone, all of which stand on l.
func removeFromLine(src string, l line, gone []occurrence) []patch {
	lead, marked := structure(src, l)
	var patches []patch
	at, kept := lead, false // whether text stays between lead and at
	for _, o := range gone {
		a, b := o.span.Start, o.span.End
		kept = kept || at < a && strings.TrimSpace(src[at:a]) != ""
		p := patch{a, b, ""}
		switch next := nextByte(src, b, l.end); {
		case !kept && isBlankByte(next):
			p.end = b + leadingBlanks(src[b:l.end], l.indent)
		case kept && isBlankByte(src[a-1]) && endsWord(next) && a > at:
			p.start = a - 1
		case isBlankByte(next) && src[a-1] == '(':
			p.end = b + 1
		case next == '#':
			p.text = `\` // or a tag would begin here
		}
		patches = append(patches, p)
		at = max(at, p.end)
	}
	rest, first := remainder(src, lead, l.end, patches)
	if strings.TrimSpace(rest) == "" {
		return emptied(src, l, gone, marked)
	}
	if first >= 0 {
		if n := escapeAt(rest); n >= 0 {
			// The escape goes after the last patch of those at the line's start.
			at := patches[first].end + n
			patches = append(patches, patch{at, at, `\`})
		}
	}
	return patches
}

// structure returns the offset after the markers of quotes, items and headings
// on l, and whether there is one beside quotes.
func structure(src string, l line) (lead int, marked bool) {
	at := l.start
	for markers := 0; ; {
		q, _ := skipBlank(src, at, l.end, 0)
		if q == l.end {
			return q, marked
		}
		t := src[q:l.end]
		if t[0] == '>' {
			at = q + 1
			continue
		}
		if markers == maxMarkers {
			return q, marked
		}
		if b := bulletAt(t); b.width > 0 {
			at, marked = q+b.width, true
			markers++
			continue
		}
		if level, _ := atx(t); level > 0 {
			q, _ = skipBlank(src, q+level, l.end, 0)
			return q, true
		}
		return q, marked
	}
}

// remainder returns what the patches leave of src[lead:end], and the index of
// the last patch before its first byte, or -1.
func remainder(src string, lead, end int, patches []patch) (rest string, first int) {
	var out strings.Builder
	first = -1
	at := lead
	for i, p := range patches {
		out.WriteString(src[at:max(at, p.start)])
		if out.Len() == 0 {
			first = i
		}
		out.WriteString(p.text)
		at = max(at, p.end)
	}
	if at < end {
		out.WriteString(src[at:end])
	}
	return out.String(), first
}

// nextByte returns src[i], or a newline at the end of the line.
func nextByte(src string, i, end int) byte {
	if i < end {
		return src[i]
	}
	return '\n'
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' }

// endsWord reports whether text may close up before c.
func endsWord(c byte) bool { return strings.IndexByte(" \t\r\n.,;:!?)", c) >= 0 }

// leadingBlanks returns how many of the blanks at the start of s go with a tag
// at the start of a line: one, or all where the rest would become code.
func leadingBlanks(s string, indent int) int {
	n := len(s) - len(strings.TrimLeft(s, " \t"))
	if n > 1 && indent+4*strings.Count(s[:n], "\t")+n-1 >= 4 {
		return n
	}
	return min(n, 1)
}

// emptied returns the patches for a line of which only markers are left. A
// line without any goes whole, since an empty one would split a paragraph; so
// does one of several in a quote.
func emptied(src string, l line, gone []occurrence, marked bool) []patch {
	quoted := src[l.text] == '>'
	if !marked && (!quoted || quoteAround(src, l)) {
		return []patch{{l.start, l.next, ""}}
	}
	patches := make([]patch, 0, len(gone))
	for _, o := range gone {
		patches = append(patches, patch{o.span.Start, o.span.End, ""})
	}
	return patches
}

// quoteAround reports whether the line before or after l is a quote's.
func quoteAround(src string, l line) bool {
	if l.next < len(src) {
		if n := readLine(src, l.next); n.text < n.end && src[n.text] == '>' {
			return true
		}
	}
	if l.start == 0 {
		return false
	}
	p := readLine(src, 1+strings.LastIndexByte(src[:l.start-1], '\n'))
	return p.text < p.end && src[p.text] == '>'
}

// escapeAt returns where in s, now the start of a line, a backslash keeps it
// from beginning a heading, item, quote, rule, fence, comment, table, HTML
// block or property; -1 where nothing begins.
func escapeAt(s string) int {
	t := strings.TrimLeft(s, " \t")
	skip := len(s) - len(t)
	if t == "" || t[0] == '\\' {
		return -1
	}
	if b := bulletAt(t); b.width > 0 {
		return skip + b.width - 1
	}
	level, _ := atx(t)
	_, fence := fenceOpener(t)
	_, _, prop := property(t)
	html := scanner{src: t}
	switch {
	case level > 0, fence > 0, prop, t[0] == '>', isThematicBreak(t), setextLevel(t) > 0, isDelimiterRow(t),
		strings.HasPrefix(t, "%%"),
		t[0] == '<' && html.htmlStart(0, len(t)) != htmlNone:
		return skip
	}
	return -1
}
