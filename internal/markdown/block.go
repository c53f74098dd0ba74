package markdown

import (
	"strings"

	"stratum"
)

// open appends a block whose first line is l. A kind of none is a block that
// is complete with this line.
func (s *scanner) open(k kind, l line, indent int) {
	s.kind, s.cur = k, len(s.note.Blocks)
	s.depth, s.text, s.quoteList = 0, false, false
	s.pieces = s.pieces[:0]

	for len(s.parents) > 0 && s.parents[len(s.parents)-1].indent >= indent {
		s.parents = s.parents[:len(s.parents)-1]
	}
	above := -1
	if len(s.parents) > 0 {
		above = s.parents[len(s.parents)-1].block
	}
	s.note.Blocks = append(s.note.Blocks, stratum.Block{
		Span:   stratum.Span{Start: l.start, End: l.next},
		Parent: above,
		Left:   s.lastChild[above+1],
	})
	s.lastChild[above+1] = s.cur
	s.lastChild = append(s.lastChild, -1)
	s.parents = append(s.parents, parent{indent, s.cur})
}

// extend gives l to the open block, with the blank lines before it.
func (s *scanner) extend(l line) { s.note.Blocks[s.cur].Span.End = l.next }

// close completes the open block.
func (s *scanner) close() {
	s.endVerbatim()
	s.flush()
	if s.kind == none {
		return
	}
	b := &s.note.Blocks[s.cur]
	switch s.kind {
	case listItem:
		b.Content = s.itemContent()
		s.readTask(b)
	case paragraph:
		b.Content = s.content(b.Span.Start, b.Span.End)
		s.readTask(b)
	default:
		b.Content = s.content(b.Span.Start, b.Span.End)
	}
	s.kind = none
}

// readTask takes the task marker off the block's content, unless a property
// line has given it one.
func (s *scanner) readTask(b *stratum.Block) {
	if b.Marker != "" {
		return
	}
	prio, mark, rest := task(b.Content)
	if mark == "" {
		return
	}
	b.Marker, b.Content = mark, rest
	if b.Priority == "" {
		b.Priority = prio
	}
}

// content returns the text of src[start:end] with newlines as "\n".
func (s *scanner) content(start, end int) string {
	text := strings.TrimSpace(s.src[start:end])
	if strings.Contains(text, "\r\n") {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

// openItem begins the list item whose marker b stands at l.
func (s *scanner) openItem(l line, b bullet) {
	s.close()
	s.leaveItems(l)
	s.open(listItem, l, l.indent)
	at, col := skipBlank(s.src, l.text+b.width, l.end, l.indent+b.width)
	if after := l.indent + b.width; b.empty || col-after > 4 {
		col = after + 1
	}
	s.items = append(s.items, item{l.indent, col, b.ordered})
	if b.empty {
		s.text = true // the app lets the next line go on with an empty item
		return
	}
	s.addPiece(at, l.end, false)
	s.leaf(l, at, col)
}

// itemLine reads a line, other than the first, of the open list item.
func (s *scanner) itemLine(l line, t string) {
	s.extend(l)
	if key, value, ok := property(t); ok {
		s.setProperty(key, value)
		s.addText(l.start, l.next)
		return
	}
	s.addPiece(l.text, l.end, false)
	s.leaf(l, l.text, l.indent)
}

// setProperty gives the open block a field or a property. The last of two
// wins, and a field whose value is not valid is ignored (vault-format §3).
func (s *scanner) setProperty(key, value string) {
	b := &s.note.Blocks[s.cur]
	switch key {
	case "id":
		if id, ok := parseUUID(value); ok {
			b.ID = id
		}
	case "marker":
		if m := marker(strings.ToUpper(value)); m != "" {
			b.Marker = m
		}
	case "priority":
		if p := priority(strings.ToUpper(value)); p != "" {
			b.Priority = p
		}
	case "heading-level", "heading":
		if len(value) == 1 && value[0] >= '1' && value[0] <= '6' {
			b.HeadingLevel = int(value[0] - '0')
		}
	case "collapsed":
		b.Collapsed = strings.EqualFold(value, "true")
	default:
		if b.Properties == nil {
			b.Properties = map[string]string{}
		}
		b.Properties[key] = value
	}
}

func (s *scanner) addPiece(start, end int, verbatim bool) {
	s.pieces = append(s.pieces, piece{stratum.Span{Start: start, End: end}, verbatim})
}

// itemContent joins the pieces of the open list item.
func (s *scanner) itemContent() string {
	switch len(s.pieces) {
	case 0:
		return ""
	case 1:
		p := s.pieces[0].span
		return strings.TrimSpace(s.src[p.Start:p.End])
	}
	size := len(s.pieces)
	for _, p := range s.pieces {
		size += p.span.Len()
	}
	var out strings.Builder
	out.Grow(size)
	for i, p := range s.pieces {
		if i > 0 {
			out.WriteByte('\n')
		}
		text := s.src[p.span.Start:p.span.End]
		if !p.verbatim {
			text = strings.TrimSpace(text)
		}
		out.WriteString(text)
	}
	return strings.TrimSpace(out.String())
}
