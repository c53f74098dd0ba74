package markdown

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// flowItem is an element of a list on one line, quotes included.
type flowItem struct {
	start, end int
	gone       bool // it is to be removed
}

// removeItems removes the items that are gone, each with one separator. It
// returns false, having only counted, when none stays.
func (e *yamlEdit) removeItems(items []flowItem) bool {
	left := 0
	for _, it := range items {
		if it.gone {
			e.count++
		} else {
			left++
		}
	}
	if left == 0 {
		return false
	}
	kept := false
	for i, it := range items {
		switch {
		case !it.gone:
			kept = true
		case kept:
			e.removeAfter(items[i-1].end, it)
		default:
			e.replace(it.start, items[i+1].start, "")
		}
	}
	return true
}

// removeAfter removes it with the separator before, which begins at offset
// sep. An item on a line of its own goes with its line instead.
func (e *yamlEdit) removeAfter(sep int, it flowItem) {
	nl := strings.LastIndexByte(e.src[sep:it.start], '\n')
	if nl < 0 {
		e.replace(sep, it.end, "")
		return
	}
	nl += sep
	l := readLine(e.src, it.end)
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(e.src[it.end:l.end], " "), ","), " ")
	if strings.TrimLeft(e.src[nl+1:it.start], " ") == "" && (rest == "" || rest[0] == '#') {
		e.replace(nl+1, l.next, "")
		return
	}
	e.replace(it.start, it.end, "")
}

// flowItems reads the elements of the list whose "[" stands at offset open.
// ok is false where that is not as simple as scalars and commas.
func (e *yamlEdit) flowItems(open int) (items []flowItem, end int, ok bool) {
	src, limit := e.src, e.fm.yaml.End
	comma := true
	for i := open + 1; i < limit; {
		switch c := src[i]; c {
		case ' ', '\n', '\r':
			i++
		case '#':
			if !isSpaceByte(src[i-1]) {
				return nil, 0, false
			}
			i = min(readLine(src, i).next, limit)
		case ',':
			if comma {
				return nil, 0, false
			}
			comma = true
			i++
		case ']':
			return items, i, true
		default:
			n := flowScalar(src[i:limit])
			if n == 0 || !comma {
				return nil, 0, false
			}
			items = append(items, flowItem{start: i, end: i + n})
			comma = false
			i += n
		}
	}
	return nil, 0, false
}

func isSpaceByte(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// flowScalar returns the length of the scalar at the start of s, inside a
// list on one line; 0 where it is not simple.
func flowScalar(s string) int {
	switch s[0] {
	case '"':
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return 0
	case '\'':
		for i := 1; i < len(s); i++ {
			if s[i] != '\'' {
				continue
			}
			if i+1 == len(s) || s[i+1] != '\'' {
				return i + 1
			}
			i++
		}
		return 0
	case '[', '{', '}', '&', '*', '!', '|', '>', '%', '@', '`', '?':
		return 0
	}
	i := 0
	for i < len(s) && strings.IndexByte(",[]{}\r\n", s[i]) < 0 {
		if s[i] == '#' && i > 0 && s[i-1] == ' ' {
			break
		}
		i++
	}
	return len(strings.TrimRight(s[:i], " "))
}

// addToFlow appends the tag to a list in brackets.
func (e *yamlEdit) addToFlow(v *yaml.Node, s spelling) error {
	open := e.table.offset(v)
	items, end, ok := e.flow(v)
	if !ok {
		return notEditable("its list of tags is not simple", nil)
	}
	if len(items) == 0 {
		e.replace(open+1, open+1, s.in(0))
		return nil
	}
	text := s.in(commonQuotes(v))
	last := items[len(items)-1]
	sep := ", "
	if len(items) > 1 {
		between := e.src[items[len(items)-2].end:last.start]
		nl := strings.LastIndexByte(between, '\n')
		switch {
		case nl >= 0 && strings.TrimLeft(between[nl+1:], " ") == "":
			sep = "," + e.newline + between[nl+1:]
		case nl < 0 && strings.HasSuffix(between, ","):
			sep = ","
		}
	}
	at := last.end
	comma := e.trailingComma(last.end, end)
	if comma >= 0 {
		at, sep = comma+1, sep[1:]
	}
	if own := e.commentEnd(at, end); own >= 0 && strings.Contains(sep, e.newline) {
		// The comment is the last element's and stays on its line.
		if comma < 0 {
			e.replace(at, at, ",")
			sep = sep[1:]
		}
		at = own
	}
	e.replace(at, at, sep+text)
	return nil
}

// commentEnd returns where the comment ends that follows offset from on its
// line, or -1.
func (e *yamlEdit) commentEnd(from, end int) int {
	l := readLine(e.src, from)
	if l.end < end && l.text < l.end && e.src[l.text] == '#' {
		return l.end
	}
	return -1
}

// trailingComma returns the offset of the comma after the last element, which
// ends at from, or -1.
func (e *yamlEdit) trailingComma(from, end int) int {
	if at := skipSpace(e.src, from, end); at < end && e.src[at] == ',' {
		return at
	}
	return -1
}

// flow reads the elements of v, a list in brackets.
func (e *yamlEdit) flow(v *yaml.Node) (items []flowItem, end int, ok bool) {
	open := e.table.offset(v)
	if open < 0 || open >= e.fm.yaml.End || e.src[open] != '[' {
		return nil, 0, false
	}
	items, end, ok = e.flowItems(open)
	return items, end, ok && len(items) == len(v.Content)
}

// commonQuotes returns the quotes that every element of v has.
func commonQuotes(v *yaml.Node) yaml.Style {
	style := yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
	for _, c := range v.Content {
		style &= c.Style
	}
	return style
}

// removeFromFlow removes the tag from a list in brackets.
func (e *yamlEdit) removeFromFlow(v *yaml.Node, tag string) error {
	items, end, ok := e.flow(v)
	if !ok {
		return notEditable("its list of tags is not simple", nil)
	}
	for i := range items {
		items[i].gone = isItem(v.Content[i], tag)
	}
	if !e.removeItems(items) {
		e.replace(e.table.offset(v)+1, end, "")
	}
	return nil
}
