// Package markdown reads one note's text: frontmatter, the outline of blocks
// with their byte ranges, wiki-links, tags and the one code mask; and it edits
// the note's tags without touching any other byte. It does no I/O, and no text
// makes it fail or take more than linear time.
package markdown

import (
	"strings"

	"stratum"
)

const bom = "\ufeff"

// Parse reads a note's text. Any bytes are a note: CRLF, a BOM, tabs and
// invalid UTF-8 included. The note's strings share the memory of src where
// they stand in it as they are.
func Parse(src string) *stratum.Note { return parse(src, nil) }

// occurrence is one inline tag: its name and the bytes of "#" and name.
type occurrence struct {
	name string
	span stratum.Span
}

// parse is [Parse]; when inline is not nil, every inline tag is appended to it
// in document order.
func parse(src string, inline *[]occurrence) *stratum.Note {
	note := &stratum.Note{Frontmatter: map[string]any{}}
	body := 0
	if strings.HasPrefix(src, bom) {
		body = len(bom)
	}
	s := newScanner(src, note, inline)
	if fm, ok := splitFrontmatter(src, body); ok {
		note.FrontmatterSpan = fm.span
		body = fm.span.End
		s.frontmatter(fm)
	}
	s.blocks(body)
	note.Tags = s.tags.list
	return note
}

// SplitTarget cuts "#heading" or "^block" off a link's target; the fragment
// keeps its mark. The page of a local link is "".
func SplitTarget(target string) (page, fragment string) {
	i := strings.IndexAny(target, "#^")
	if i < 0 {
		return strings.TrimSpace(target), ""
	}
	return strings.TrimSpace(target[:i]), strings.TrimSpace(target[i:])
}
