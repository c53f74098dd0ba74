package markdown

import "strings"

// htmlKind is one of CommonMark's seven ways an HTML block begins and ends.
type htmlKind uint8

const (
	htmlNone    htmlKind = iota
	htmlRaw              // <script, <pre, <style, <textarea
	htmlComment          // <!--
	htmlPI               // <?
	htmlDecl             // <!X
	htmlCDATA            // <![CDATA[
	htmlBlock            // a tag of a block element
	htmlAnyTag           // any other tag alone on its line; not after a paragraph's text
)

// endsAtBlank reports whether a blank line ends the block.
func (k htmlKind) endsAtBlank() bool { return k == htmlBlock || k == htmlAnyTag }

// endsIn reports whether t, a line's text, ends the block.
func (k htmlKind) endsIn(t string) bool {
	switch k {
	case htmlRaw:
		for i := strings.Index(t, "</"); i >= 0; {
			if isRawTag(tagName(t[i+2:])) {
				return true
			}
			j := strings.Index(t[i+2:], "</")
			if j < 0 {
				return false
			}
			i += 2 + j
		}
		return false
	case htmlComment:
		return strings.Contains(t, "-->")
	case htmlPI:
		return strings.Contains(t, "?>")
	case htmlDecl:
		return strings.IndexByte(t, '>') >= 0
	case htmlCDATA:
		return strings.Contains(t, "]]>")
	default:
		return false
	}
}

// htmlStart says which HTML block begins at src[at:end], a line's text.
func (s *scanner) htmlStart(at, end int) htmlKind {
	t := s.src[at:end]
	if len(t) < 2 {
		return htmlNone
	}
	switch c := t[1]; {
	case c == '?':
		return htmlPI
	case c == '!':
		switch {
		case strings.HasPrefix(t, "<!--"):
			return htmlComment
		case strings.HasPrefix(t, "<![CDATA["):
			return htmlCDATA
		case len(t) > 2 && isLetter(t[2]):
			return htmlDecl
		}
		return htmlNone
	case c == '/' || isLetter(c):
	default:
		return htmlNone
	}
	closing := t[1] == '/'
	name := tagName(strings.TrimPrefix(t[1:], "/"))
	after := t[1+len(name):]
	if closing {
		after = after[1:]
	}
	switch {
	case name == "":
		return htmlNone
	case !closing && isRawTag(name) && (after == "" || strings.IndexByte(" \t>", after[0]) >= 0):
		return htmlRaw
	case isBlockTag(name) && (after == "" || strings.IndexByte(" \t>", after[0]) >= 0 || strings.HasPrefix(after, "/>")):
		return htmlBlock
	case isRawTag(name):
		return htmlNone
	}
	if e := tagEnd(s.src, at, end); e > 0 && strings.TrimSpace(s.src[e:end]) == "" {
		return htmlAnyTag
	}
	return htmlNone
}

// tagName returns the tag name at the start of s.
func tagName(s string) string {
	if s == "" || !isLetter(s[0]) {
		return ""
	}
	i := 1
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '-') {
		i++
	}
	return s[:i]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func isRawTag(name string) bool {
	if len(name) < 3 || len(name) > 8 {
		return false
	}
	switch strings.ToLower(name) {
	case "script", "pre", "style", "textarea":
		return true
	}
	return false
}

func isBlockTag(name string) bool {
	if len(name) > 10 {
		return false
	}
	switch strings.ToLower(name) {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
		"col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption",
		"figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
		"header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav",
		"noframes", "ol", "optgroup", "option", "p", "param", "search", "section", "summary", "table",
		"tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}

// tagEnd returns the offset after the open or closing tag that begins at
// src[i] == '<', or 0 when there is none before end. It reads no further than
// the next "<" outside quotes, so that reading a whole text stays linear.
func tagEnd(src string, i, end int) int {
	closing := i+1 < end && src[i+1] == '/'
	i++
	if closing {
		i++
	}
	name := tagName(src[i:min(end, i+256)])
	if name == "" {
		return 0
	}
	i += len(name)
	for {
		at := skipSpace(src, i, end)
		if at >= end {
			return 0
		}
		switch {
		case src[at] == '>':
			return at + 1
		case closing:
			return 0
		case src[at] == '/':
			if at+1 < end && src[at+1] == '>' {
				return at + 2
			}
			return 0
		case at == i || !isAttributeStart(src[at]):
			return 0
		}
		if i = attributeEnd(src, at, end); i == 0 {
			return 0
		}
	}
}

func isAttributeStart(c byte) bool { return isLetter(c) || c == '_' || c == ':' }

// attributeEnd returns the offset after the attribute at src[i:], with its
// value; 0 when that is malformed.
func attributeEnd(src string, i, end int) int {
	for i < end && (isAttributeStart(src[i]) || isDigit(src[i]) || src[i] == '.' || src[i] == '-') {
		i++
	}
	at := skipSpace(src, i, end)
	if at >= end || src[at] != '=' {
		return i
	}
	at = skipSpace(src, at+1, end)
	if at >= end {
		return 0
	}
	if q := src[at]; q == '"' || q == '\'' {
		j := strings.IndexByte(src[at+1:end], q)
		if j < 0 {
			return 0
		}
		return at + 1 + j + 1
	}
	start := at
	for at < end && strings.IndexByte(" \t\r\n\"'=<>`", src[at]) < 0 {
		at++
	}
	if at == start {
		return 0
	}
	return at
}

func skipSpace(src string, i, end int) int {
	for i < end && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n' || src[i] == '\r') {
		i++
	}
	return i
}

// autolinkEnd returns the offset after the autolink that begins at
// src[i] == '<', or 0.
func autolinkEnd(src string, i, end int) int {
	j := i + 1
	mail := false
	for ; j < end; j++ {
		switch c := src[j]; {
		case c == '>':
			if mail || hasScheme(src[i+1:j]) {
				return j + 1
			}
			return 0
		case c == '<' || c <= ' ':
			return 0
		case c == '@':
			mail = true
		}
	}
	return 0
}

func hasScheme(s string) bool {
	i := strings.IndexByte(s, ':')
	if i < 2 || i > 32 || !isLetter(s[0]) {
		return false
	}
	for j := range i {
		if c := s[j]; !isLetter(c) && !isDigit(c) && c != '+' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}
