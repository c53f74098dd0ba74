package markdown

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"stratum"
)

// lineTable finds byte offsets from YAML's lines and columns.
type lineTable struct {
	src   string
	start []int // offset of each line
	end   int

	line, column, at int // the place that was asked for last
}

// newLineTable reads the lines of src[start:end] as YAML does: NEL and the
// Unicode separators end one too.
func newLineTable(src string, span stratum.Span) *lineTable {
	t := &lineTable{src: src, start: []int{span.Start}, end: span.End}
	for i := span.Start; i < span.End; {
		next := i + 1
		switch c := src[i]; {
		case c == '\n':
		case c == '\r':
			if next < span.End && src[next] == '\n' {
				next++
			}
		case c < utf8.RuneSelf:
			i++
			continue
		default:
			r, size := utf8.DecodeRuneInString(src[i:span.End])
			next = i + size
			if r != 0x85 && r != 0x2028 && r != 0x2029 {
				i = next
				continue
			}
		}
		t.start = append(t.start, next)
		i = next
	}
	return t
}

// offset returns where n begins, or -1 when that lies outside. Going through
// the nodes in order takes linear time.
func (t *lineTable) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(t.start) {
		return -1
	}
	if n.Line != t.line || n.Column < t.column {
		t.line, t.column, t.at = n.Line, 1, t.start[n.Line-1]
	}
	for ; t.column < n.Column; t.column++ {
		if t.at >= t.end {
			return -1
		}
		_, size := utf8.DecodeRuneInString(t.src[t.at:t.end])
		t.at += size
	}
	return t.at
}

// lineStart returns where the line of n begins.
func (t *lineTable) lineStart(n *yaml.Node) int { return t.start[n.Line-1] }

// region is a part of the frontmatter with values, and how many of the links
// that it shows stand in them; those after are in a comment.
type region struct {
	span  stratum.Span
	links int
}

// frontmatterLinks finds the links in the values of fm, never in its keys or
// comments; root is nil when fm does not parse.
func (s *scanner) frontmatterLinks(fm frontmatter, root *yaml.Node) {
	if root == nil {
		s.looseLinks(fm)
		return
	}
	t := newLineTable(s.src, fm.yaml)
	w := valueWalker{table: t}
	w.walk(root, 0)
	for i, r := range w.regions {
		end := fm.yaml.End
		if i+1 < len(w.regions) {
			end = w.regions[i+1].span.Start
		}
		s.linksIn(r.span.Start, end, r.links)
	}
}

// valueWalker collects, in document order, where keys and values begin.
type valueWalker struct {
	table   *lineTable
	regions []region
}

func (w *valueWalker) walk(n *yaml.Node, depth int) {
	if depth > maxYAMLDepth {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			w.add(n.Content[i], 0)
			w.walk(n.Content[i+1], depth+1)
		}
	case yaml.SequenceNode:
		if isBareLink(n) {
			w.add(n, 1)
			return
		}
		for _, e := range n.Content {
			w.walk(e, depth+1)
		}
	case yaml.ScalarNode:
		w.add(n, strings.Count(n.Value, "[["))
	}
}

func (w *valueWalker) add(n *yaml.Node, links int) {
	at := w.table.offset(n)
	if last := len(w.regions) - 1; at < 0 || last >= 0 && at < w.regions[last].span.Start {
		return
	}
	w.regions = append(w.regions, region{stratum.Span{Start: at}, links})
}

// isBareLink reports whether n is what YAML makes of an unquoted [[link]]: a
// list that holds only a list of one scalar.
func isBareLink(n *yaml.Node) bool {
	if n.Style&yaml.FlowStyle == 0 || len(n.Content) != 1 {
		return false
	}
	in := n.Content[0]
	return in.Kind == yaml.SequenceNode && in.Style&yaml.FlowStyle != 0 && len(in.Content) == 1 &&
		in.Content[0].Kind == yaml.ScalarNode && in.Line == n.Line && in.Column == n.Column+1
}

// linksIn adds the first few links of src[start:end].
func (s *scanner) linksIn(start, end, few int) {
	open := -1
	for i := start; i+1 < end && few > 0; {
		switch {
		case s.src[i] == '\n':
			open = -1
		case s.src[i] == '[' && s.src[i+1] == '[' && (i+2 >= end || s.src[i+2] != '['):
			open = i
			i += 2
			continue
		case s.src[i] == ']' && s.src[i+1] == ']' && open >= 0:
			if target, display := splitLink(s.src[open+2:i], false); target != "" {
				s.addLink(stratum.Link{
					Target: target, Display: display, Block: -1,
					Position: s.runes.count(s.src, open),
					Span:     stratum.Span{Start: open, End: i + 2},
					Embed:    open > start && s.src[open-1] == '!',
				})
				few--
			}
			open = -1
			i += 2
			continue
		}
		i++
	}
}

// looseLinks finds the links of frontmatter that is no YAML, as unquoted ones
// often make it: those after a line's key, before a comment.
func (s *scanner) looseLinks(fm frontmatter) {
	for at := fm.yaml.Start; at < fm.yaml.End; {
		l := readLine(s.src, at)
		at = l.next
		t := s.src[l.text:l.end]
		if l.blank || t[0] == '#' {
			continue
		}
		start, end := l.text, l.end
		if i := strings.Index(t, ": "); i >= 0 {
			start += i + 1
		}
		if i := strings.Index(s.src[start:end], " #"); i >= 0 {
			end = start + i
		}
		s.linksIn(start, end, end-start)
	}
}
