package kb

import (
	"context"

	"stratum"
	"stratum/internal/search"
	"stratum/internal/text"
)

// rereads is how often a question is asked again because a note in its
// answer has changed on the disk since it was indexed.
const rereads = 3

// Search runs a full-text query (§5.7, decision 6.4). VaultLocked when the
// index is not ready in time.
func (k *KB) Search(ctx context.Context, query string, offset, limit int) (SearchResult, error) {
	match := search.Matcher(query)
	return k.find(ctx, match, func(s *search.Snapshot) search.Result { return s.Search(query, offset, limit) })
}

// SearchByTag finds the blocks of a tag and its children (§5.8). tag has been
// cleaned by markdown.CleanTag. VaultLocked when the index is not ready in time.
func (k *KB) SearchByTag(ctx context.Context, tag string, limit int) (SearchResult, error) {
	finder := text.NewFinder(tag)
	match := func(s string) (start, end int, ok bool) { return finder.Find(s, 0) }
	return k.find(ctx, match, func(s *search.Snapshot) search.Result { return s.ByTag(tag, limit) })
}

// find asks the index until no note among the hits has changed since it was
// indexed, and returns the hits as the disk has them.
func (k *KB) find(ctx context.Context, match matcher, ask func(*search.Snapshot) search.Result) (SearchResult, error) {
	snap, err := k.snapshot(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	r := ask(snap)
	v := k.view(snap)
	for range rereads {
		stale := v.load(ctx, r.Hits)
		if len(stale) == 0 {
			break
		}
		if err := k.index.Refresh(ctx, stale); err != nil {
			return SearchResult{}, err
		}
		v = k.view(k.index.Current())
		r = ask(v.snap)
	}
	hits := func(yield func(stratum.SearchHit, error) bool) {
		for _, h := range r.Hits {
			if err := ctx.Err(); err != nil {
				yield(stratum.SearchHit{}, err)
				return
			}
			if !yield(v.hit(ctx, h, match), nil) {
				return
			}
		}
	}
	return SearchResult{Hits: hits, Count: len(r.Hits), Total: r.Total, Relaxed: r.Relaxed}, nil
}

// matcher finds what a question asked for in a text.
type matcher func(s string) (start, end int, ok bool)

func (v *view) hit(ctx context.Context, h search.Hit, match matcher) stratum.SearchHit {
	out := stratum.SearchHit{PagePath: h.Path.String(), Score: h.Score}
	pg := v.page(h.Path)
	b := pg.block(h.Block)
	if b == nil {
		out.Snippet = text.Snippet(h.Path.Title(pg.note.Title), 0, 0, stratum.SnippetMax)
		return out
	}
	out.BlockID = v.blockID(ctx, pg, h.Block)
	out.Content = b.Content
	start, end, _ := match(b.Content)
	out.Snippet = text.Snippet(b.Content, start, end, stratum.SnippetMax)
	return out
}
