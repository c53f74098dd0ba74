package markdown

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// afterColon returns the offset after the colon of key, or -1.
func (e *yamlEdit) afterColon(key *yaml.Node) int {
	at := e.table.offset(key)
	if at < 0 {
		return -1
	}
	at += len(key.Value)
	if key.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		at += 2
	}
	at = skipSpace(e.src, at, e.fm.yaml.End)
	if at >= e.fm.yaml.End || e.src[at] != ':' {
		return -1
	}
	return at + 1
}

// scalarSpan returns the bytes of the scalar v, quotes included; ok is false
// unless they stand on one line just as they read.
func (e *yamlEdit) scalarSpan(v *yaml.Node) (start, end int, ok bool) {
	start = e.table.offset(v)
	quote := ""
	switch {
	case start < 0 || v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return 0, 0, false
	case v.Style&yaml.DoubleQuotedStyle != 0:
		quote = `"`
	case v.Style&yaml.SingleQuotedStyle != 0:
		quote = "'"
	}
	raw := quote + v.Value + quote
	if strings.ContainsAny(v.Value, "\r\n") || !strings.HasPrefix(e.src[start:e.fm.yaml.End], raw) {
		return 0, 0, false
	}
	return start, start + len(raw), true
}

// addToEmpty writes the first tag of a key without any.
func (e *yamlEdit) addToEmpty(key, v *yaml.Node, s spelling) error {
	if start, end, ok := e.scalarSpan(v); ok && end > start {
		e.replace(start, end, "["+s.in(v.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle))+"]")
		return nil
	}
	at := e.afterColon(key)
	if at < 0 || v.Value != "" {
		return notEditable("its tags are no list", nil)
	}
	l := readLine(e.src, at)
	e.replace(l.next, l.next, e.keyIndent()+"  - "+s.in(0)+e.newline)
	return nil
}

// addToString appends the tag to a string of tags, with the separator that it
// uses; a comma where there is only one.
func (e *yamlEdit) addToString(v *yaml.Node, s spelling) error {
	start, end, ok := e.scalarSpan(v)
	if !ok {
		return notEditable("its tags are a text of several lines", nil)
	}
	inner := strings.TrimRight(v.Value, ", ")
	sep := ", "
	switch comma := strings.IndexByte(inner, ','); {
	case comma >= 0 && inner[comma+1] != ' ':
		sep = ","
	case comma < 0 && strings.IndexByte(inner, ' ') >= 0:
		sep = " "
	}
	all := spelling{inner + sep + s.tag, s.quote}
	e.replace(start, end, all.in(v.Style))
	return nil
}

// removeFromString removes the tag's words from a string of tags.
func (e *yamlEdit) removeFromString(v *yaml.Node, tag string) error {
	start, end, ok := e.scalarSpan(v)
	if !ok {
		return notEditable("its tags are a text of several lines", nil)
	}
	at := start
	if v.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		at++
	}
	var items []flowItem
	for i := 0; i < len(v.Value); {
		n := strings.IndexFunc(v.Value[i:], isTagSeparator)
		if n < 0 {
			n = len(v.Value) - i
		}
		if n > 0 {
			items = append(items, flowItem{
				start: at + i, end: at + i + n, gone: sameTag(trimTag(v.Value[i:i+n]), tag),
			})
		}
		i += n + 1
	}
	if !e.removeItems(items) {
		e.replace(start, end, "[]")
	}
	return nil
}

// addToBlock appends a line with the tag to a list of lines.
func (e *yamlEdit) addToBlock(v *yaml.Node, s spelling) error {
	last := v.Content[len(v.Content)-1]
	lead, ok := e.dash(last)
	if !ok || last.Kind != yaml.ScalarNode {
		return notEditable("its list of tags is not simple", nil)
	}
	l := readLine(e.src, e.table.lineStart(last))
	e.replace(l.next, l.next, lead+s.in(commonQuotes(v))+e.newline)
	return nil
}

// removeFromBlock removes the tag's lines from a list of lines.
func (e *yamlEdit) removeFromBlock(key, v *yaml.Node, tag string) error {
	left := len(v.Content)
	for _, c := range v.Content {
		if !isItem(c, tag) {
			continue
		}
		if _, ok := e.dash(c); !ok {
			return notEditable("its list of tags is not simple", nil)
		}
		l := readLine(e.src, e.table.lineStart(c))
		e.replace(l.start, l.next, "")
		e.count++
		left--
	}
	if left > 0 {
		return nil
	}
	at := e.afterColon(key)
	if at < 0 {
		return notEditable("its list of tags is not simple", nil)
	}
	e.replace(at, at, " []")
	return nil
}

// dash returns what stands before the element c of a list of lines: the
// indentation, "-" and the space after it. ok is false when that is anything
// else, or c does not stand on one line.
func (e *yamlEdit) dash(c *yaml.Node) (lead string, ok bool) {
	at := e.table.offset(c)
	if at < 0 {
		return "", false
	}
	lead = e.src[e.table.lineStart(c):at]
	return lead, strings.TrimSpace(lead) == "-"
}
