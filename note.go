package stratum

// Note is what the text of one note says, as the Markdown model reads it.
// It is never changed once made; its strings may share the source's memory.
type Note struct {
	// Frontmatter is every key of the YAML frontmatter as a JSON value: nil,
	// bool, int64, uint64, float64, string, []any or map[string]any. "tags"
	// and "aliases", where present, are []string. Empty when there is none
	// or when it does not parse (decision 5.6).
	Frontmatter map[string]any
	// FrontmatterErr says why the frontmatter does not parse; nil when it
	// does or when there is none.
	FrontmatterErr error
	// FrontmatterSpan covers the frontmatter with both fences and the newline
	// after the closing one; empty when there is none.
	FrontmatterSpan Span

	// Title is the frontmatter's title if it is a non-empty scalar, else "".
	Title string
	// Aliases are the frontmatter's aliases, in order.
	Aliases []string
	// FrontmatterTags are the tags of the frontmatter, without "#", in order,
	// each once (without regard to case).
	FrontmatterTags []string
	// Tags are all tags, without "#": the frontmatter's first, then inline
	// ones by first appearance, each once (decision 5.8).
	Tags []string

	// Blocks are in document order; a parent stands before its children.
	Blocks []Block
	// Links are in document order, those of the frontmatter included. Local
	// ones ([[#heading]]) are listed too.
	Links []Link
	// Code are the parts of the source that hold no links, tags or mentions
	// (decision 6.1), sorted, not overlapping.
	Code []Span
}

// Span is the half-open byte range [Start, End) of a note's source.
type Span struct{ Start, End int }

// Len returns the span's length in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Block is one block of a note's outline (contract §4.2, vault-format §3).
type Block struct {
	// ID is the lower-case UUID of the note's own ".id:" line, or "".
	ID string
	// Span is the block's own bytes, children excluded, trailing newline of
	// its last line included. Spans of blocks are ascending and disjoint, and
	// between them stand only blank lines and the frontmatter.
	Span Span
	// Content is the text without bullet, heading marks, marker, priority and
	// property lines, as the desktop app shows it.
	Content string
	// Parent and Left are indices into the note's Blocks: the enclosing block
	// and the previous sibling; -1 where there is none.
	Parent, Left int
	// Properties are the property lines that are not fields of a block.
	Properties map[string]string
	// Marker is one of TODO DOING DONE NOW LATER WAITING CANCELLED, or "".
	Marker string
	// Priority is A, B, C or "".
	Priority string
	// Collapsed is the "collapsed" property of the file.
	Collapsed bool
	// HeadingLevel is 1 to 6, or 0 where the block is no heading.
	HeadingLevel int
	// Tags are the block's inline tags, without "#", in order, each once.
	Tags []string
}

// Link is one wiki-link of a note (decisions 5.8 and 6.2).
type Link struct {
	// Target is as written, without display text, trimmed; "#heading" and
	// "^block" are still on it.
	Target string
	// Display is the shown text after "|", trimmed; "" where there is none.
	Display string
	// Block is the index of the block that holds the link; -1 for one in the
	// frontmatter.
	Block int
	// Position is the 0-based offset, in characters, of "[[" in the source.
	Position int
	// Span is the link's bytes, from "[[" to the end of "]]".
	Span Span
	// Embed reports a "!" directly before "[[".
	Embed bool
}
