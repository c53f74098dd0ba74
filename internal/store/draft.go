package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"stratum"
)

// draft is a page's rows but for ids and what only the database knows. It is
// made before a transaction begins, so that none is held while text is
// encoded.
type draft struct {
	path     stratum.Path
	note     *stratum.Note
	page     pageRow
	blocks   []blockRow // without id, parent, left and created
	links    []linkRow
	modified string
}

// newDraft makes the draft of a page. The error is a mistake of the caller's.
func newDraft(p Page) (*draft, error) {
	if p.Path.IsZero() || p.Note == nil {
		return nil, fmt.Errorf("store page %q: no path or no note", p.Path)
	}
	modified := stamp(p.Modified)
	d := &draft{
		path: p.Path, note: p.Note, modified: modified,
		page: pageRow{
			title:       clean(p.Note.Title),
			frontmatter: encodeFrontmatter(p.Note),
			blockCount:  int64(len(p.Note.Blocks)),
			created:     modified,
			modified:    modified,
		},
		blocks: make([]blockRow, len(p.Note.Blocks)),
	}
	for i := range p.Note.Blocks {
		b := &p.Note.Blocks[i]
		d.blocks[i] = blockRow{
			content:      clean(b.Content),
			properties:   encodeProperties(b.Properties),
			marker:       b.Marker,
			priority:     b.Priority,
			collapsed:    b.Collapsed,
			headingLevel: int64(b.HeadingLevel),
			created:      modified,
			modified:     modified,
		}
	}
	targets := p.Targets
	for i := range p.Note.Links {
		l := &p.Note.Links[i]
		if l.Block < 0 {
			continue
		}
		if len(targets) == 0 {
			return nil, fmt.Errorf("store page %q: fewer targets than links", p.Path)
		}
		target := targets[0]
		targets = targets[1:]
		if target == "" {
			continue
		}
		d.links = append(d.links, linkRow{
			block: l.Block, kind: linkKind, page: clean(target), targetBlock: blockOf(l.Target),
		})
	}
	if len(targets) > 0 {
		return nil, fmt.Errorf("store page %q: more targets than links", p.Path)
	}
	slices.SortStableFunc(d.links, func(a, b linkRow) int { return cmp.Compare(a.block, b.block) })
	return d, nil
}

// blockOf returns the block that a link's target names after "^", if it is a
// block's id; else "".
func blockOf(target string) string {
	at := strings.LastIndexByte(target, '^')
	if at < 0 || len(target)-at-1 != len(nilID) {
		return ""
	}
	id, err := uuid.Parse(target[at+1:])
	if err != nil {
		return ""
	}
	return id.String()
}
