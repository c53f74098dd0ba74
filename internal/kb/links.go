package kb

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"

	"stratum"
	"stratum/internal/markdown"
	"stratum/internal/search"
	"stratum/internal/text"
)

// Backlinks yields what links to or mentions the note at p: linked first,
// then unlinked, each ordered by path and position (§5.10, decision 6.5).
// Sources are read as the sequence is walked; it ends after the first error.
// NotFound when there is no such note, VaultLocked when the index is not
// ready in time.
func (k *KB) Backlinks(ctx context.Context, p stratum.Path, unlinked bool) (iter.Seq2[stratum.Backlink, error], error) {
	snap, err := k.known(ctx, p)
	if err != nil {
		return nil, err
	}
	return func(yield func(stratum.Backlink, error) bool) {
		v := k.view(snap)
		walk := func(hits []search.Hit, one func(search.Hit) (stratum.Backlink, bool)) bool {
			for i, h := range hits {
				if err := ctx.Err(); err != nil {
					yield(stratum.Backlink{}, err)
					return false
				}
				if i > 0 && hits[i-1].Path != h.Path {
					delete(v.pages, hits[i-1].Path) // a name may be mentioned in every note
				}
				if b, ok := one(h); ok && !yield(b, nil) {
					return false
				}
			}
			return true
		}
		if !walk(snap.Inbound(p), func(h search.Hit) (stratum.Backlink, bool) { return v.linked(ctx, h, p) }) || !unlinked {
			return
		}
		places, names := snap.Mentionable(p)
		finders := make([]*text.Finder, len(names))
		for i, name := range names {
			finders[i] = text.NewFinder(name)
		}
		walk(places, func(h search.Hit) (stratum.Backlink, bool) { return v.mention(ctx, h, finders) })
	}, nil
}

// linked returns the backlink from the block at h to the note at target; false
// when the note on the disk has none there any more.
func (v *view) linked(ctx context.Context, h search.Hit, target stratum.Path) (stratum.Backlink, bool) {
	pg := v.page(h.Path)
	link := v.linkTo(pg, h.Block, target)
	if link == nil {
		return stratum.Backlink{}, false
	}
	out := stratum.Backlink{SourcePage: h.Path.String(), IsLinked: true}
	b := pg.block(h.Block)
	if b == nil { // in the frontmatter
		out.SourceID = v.blockID(ctx, pg, 0)
		out.Context = text.Around(lineAt(pg.text, link.Span.Start))
		return out, true
	}
	out.SourceID = v.blockID(ctx, pg, h.Block)
	at := max(0, strings.Index(b.Content, pg.text[link.Span.Start:link.Span.End]))
	out.Context = text.Around(b.Content, at, stratum.ContextMax)
	return out, true
}

// linkTo returns the first link of the block that leads to target.
func (v *view) linkTo(pg *page, block int, target stratum.Path) *stratum.Link {
	for i := range pg.note.Links {
		l := &pg.note.Links[i]
		if l.Block != block {
			continue
		}
		if to, ok := v.snap.Resolve(pg.path, l.Target); ok && to == target {
			return l
		}
	}
	return nil
}

// lineAt returns the line of s that holds byte at, where in it that is, and
// the most characters a context has: what text.Around takes.
func lineAt(s string, at int) (line string, in, limit int) {
	start := strings.LastIndexByte(s[:at], '\n') + 1
	line, _, _ = strings.Cut(s[start:], "\n")
	line = strings.TrimSuffix(line, "\r")
	return line, at - start, stratum.ContextMax
}

// mention returns the first mention, by one of the finders, in the block at h
// that stands outside links and code.
func (v *view) mention(ctx context.Context, h search.Hit, finders []*text.Finder) (stratum.Backlink, bool) {
	pg := v.page(h.Path)
	b := pg.block(h.Block)
	if b == nil {
		return stratum.Backlink{}, false
	}
	src := pg.text[b.Span.Start:b.Span.End]
	for _, f := range finders {
		nth := 0
		for from := 0; ; nth++ {
			start, end, ok := f.Find(src, from)
			if !ok {
				break
			}
			at := stratum.Span{Start: b.Span.Start + start, End: b.Span.Start + end}
			if !pg.masked(at) {
				return stratum.Backlink{
					SourceID:   v.blockID(ctx, pg, h.Block),
					SourcePage: h.Path.String(),
					Context:    text.Around(b.Content, find(f, b.Content, nth), stratum.ContextMax),
				}, true
			}
			from = max(end, from+1)
		}
	}
	return stratum.Backlink{}, false
}

// find returns where in s the n-th occurrence of f's name begins, counted from
// 0; the last one there is, or 0, when there are fewer.
func find(f *text.Finder, s string, n int) int {
	at := 0
	for from := 0; n >= 0; n-- {
		start, end, ok := f.Find(s, from)
		if !ok {
			break
		}
		at, from = start, max(end, from+1)
	}
	return at
}

// masked reports whether part of the span is code or a link (decision 6.1).
func (pg *page) masked(s stratum.Span) bool {
	code := pg.note.Code
	i, _ := slices.BinarySearchFunc(code, s.Start, func(c stratum.Span, at int) int {
		if c.End <= at {
			return -1
		}
		return 1
	})
	if i < len(code) && code[i].Start < s.End {
		return true
	}
	for i := range pg.note.Links {
		if l := pg.note.Links[i].Span; l.Start < s.End && s.Start < l.End {
			return true
		}
	}
	return false
}

// Graph returns the notes within depth hops of p, or all when p is nil
// (§5.11, decision 6.6). NotFound when there is no such note, VaultLocked when
// the index is not ready in time.
func (k *KB) Graph(ctx context.Context, p *stratum.Path, depth int) (stratum.GraphData, error) {
	var root stratum.Path
	snap, err := k.snapshot(ctx)
	if p != nil {
		root = *p
		snap, err = k.known(ctx, root)
	}
	if err != nil {
		return stratum.GraphData{}, err
	}
	g, ok := snap.Graph(root, depth)
	if !ok {
		return stratum.GraphData{}, stratum.ErrNotFound(root)
	}
	g.VaultPath = k.vault.Dir()
	return g, nil
}

// ResolveLink finds the note that a wiki-link's target names; nil where there
// is none (§5.12, decision 6.2). InvalidArgs for a target that is absolute or
// has a ".." component, VaultLocked when the index is not ready in time.
func (k *KB) ResolveLink(ctx context.Context, target string) (*stratum.PageRef, error) {
	page, _ := markdown.SplitTarget(target)
	if err := contained(page); err != nil {
		return nil, err
	}
	snap, err := k.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	p, ok := snap.Resolve(stratum.Path{}, target)
	if !ok {
		return nil, nil
	}
	known, _ := snap.Lookup(p)
	return &stratum.PageRef{Path: p.String(), Slug: p.Slug(), Title: known.Title}, nil
}

// contained refuses a link target that would leave the vault (§6).
func contained(target string) error {
	parts := strings.FieldsFunc(target, func(r rune) bool { return r == '/' || r == '\\' })
	drive := len(target) >= 3 && target[1] == ':' && (target[2] == '/' || target[2] == '\\')
	if !path.IsAbs(target) && !strings.HasPrefix(target, `\`) && !drive && !slices.Contains(parts, "..") {
		return nil
	}
	return &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: `The target is absolute or has a ".." component; links stay inside the vault.`,
		Hint:    "Give the target as it stands between [[ and ]], relative to the vault.",
	}
}

// Autocomplete suggests completions (§5.9, decision 6.7); kind is "page",
// "tag" or "backlink". VaultLocked when the index is not ready in time.
func (k *KB) Autocomplete(ctx context.Context, query, kind string, limit int) ([]stratum.Completion, error) {
	snap, err := k.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return snap.Complete(kind, query, limit), nil
}
