package graph

import (
	"cmp"
	"slices"
	"strings"

	"stratum"
	"stratum/internal/text"
)

// NoteID names a note in a [Graph]. The caller assigns it; it is stable over
// the versions of a note and may be used again after the note's removal. Ids
// should be dense: memory follows the largest one.
type NoteID = uint32

// InFrontmatter is the block of what stands in no block: a link or a tag of
// the frontmatter, or a note without blocks.
const InFrontmatter int32 = -1

// Note is what the graph keeps of one note. Its block numbers are below
// Blocks.
type Note struct {
	ID      NoteID
	Path    stratum.Path
	Title   string   // the frontmatter's title, or ""
	Aliases []string // the frontmatter's aliases
	Tags    []string // all tags, each once
	TagAt   []TagAt  // where the tags stand
	Links   []Link   // in document order
	Blocks  int      // number of blocks
}

// TagAt is one place of a tag: Tag is its index in [Note.Tags], Block the
// block that holds it or [InFrontmatter].
type TagAt struct{ Tag, Block int32 }

// Link is one wiki-link.
type Link struct {
	Target  string // page part of the target; "" for a link within the note
	Display string // shown text, or ""
	Block   int32  // the block that holds it, or InFrontmatter
}

// Ref is a place in a note: one of its blocks, or [InFrontmatter].
type Ref struct {
	Note  NoteID
	Block int32
}

// compare orders by note, then block.
func (r Ref) compare(o Ref) int {
	return cmp.Or(cmp.Compare(r.Note, o.Note), cmp.Compare(r.Block, o.Block))
}

// NoteOf returns what the graph keeps of n, the parsed text of the note at p.
// It shares n's memory; a graph copies what it keeps, but for the path.
func NoteOf(id NoteID, p stratum.Path, n *stratum.Note) Note {
	out := Note{
		ID: id, Path: p, Title: n.Title, Aliases: n.Aliases,
		Tags: slices.Clone(n.Tags), Blocks: len(n.Blocks),
	}
	out.placeTags(n)
	for _, l := range n.Links {
		out.Links = append(out.Links, Link{
			Target:  pageOf(l.Target),
			Display: l.Display,
			Block:   int32(l.Block),
		})
	}
	return out
}

func (n *Note) placeTags(src *stratum.Note) {
	if len(n.Tags) == 0 {
		return
	}
	at := make(map[string]int32, len(n.Tags))
	for i, t := range n.Tags {
		if key := text.FoldCase(t); !has(at, key) {
			at[key] = int32(i)
		}
	}
	place := func(tag string, block int32) {
		key := text.FoldCase(tag)
		if !has(at, key) {
			at[key] = int32(len(n.Tags))
			n.Tags = append(n.Tags, tag)
		}
		n.TagAt = append(n.TagAt, TagAt{at[key], block})
	}
	for _, t := range src.FrontmatterTags {
		place(t, InFrontmatter)
	}
	for i := range src.Blocks {
		for _, t := range src.Blocks[i].Tags {
			place(t, int32(i))
		}
	}
}

func has[V any](m map[string]V, key string) bool {
	_, ok := m[key]
	return ok
}

// pageOf cuts "#heading" and "^block" off a link's target (decision 6.2).
func pageOf(target string) string {
	page, _, _ := strings.Cut(target, "#")
	page, _, _ = strings.Cut(page, "^")
	return strings.TrimSpace(page)
}
