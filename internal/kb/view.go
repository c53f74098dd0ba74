package kb

import (
	"context"

	"stratum"
	"stratum/internal/index"
	"stratum/internal/markdown"
	"stratum/internal/search"
)

// page is a note's text as it was read for an answer.
type page struct {
	path stratum.Path
	hash stratum.Hash
	text string
	note *stratum.Note
	ids  []string // of the blocks; nil before this view asked
	kept *keptIDs // ids that another view asked for
}

// block returns the page's i-th block; nil when there is none.
func (pg *page) block(i int) *stratum.Block {
	if i < 0 || i >= len(pg.note.Blocks) {
		return nil
	}
	return &pg.note.Blocks[i]
}

// view reads, for one answer, the notes that a snapshot names. It belongs to
// one goroutine.
type view struct {
	k     *KB
	snap  *search.Snapshot
	pages map[stratum.Path]*page
	at    *moment // of blocks.db; nil before somebody asked for an id
}

func (k *KB) view(snap *search.Snapshot) *view {
	return &view{k: k, snap: snap, pages: make(map[stratum.Path]*page)}
}

// load reads the notes of hits and returns those that are no longer as the
// snapshot knows them.
func (v *view) load(ctx context.Context, hits []search.Hit) (stale []stratum.Path) {
	for _, h := range hits {
		if _, ok := v.pages[h.Path]; ok {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if known, ok := v.snap.Lookup(h.Path); !ok || v.page(h.Path).hash != known.Hash {
			stale = append(stale, h.Path)
		}
	}
	return stale
}

// page returns the note at p, read from the disk unless the cache has the
// very bytes that the snapshot knows. A note that cannot be read is empty.
func (v *view) page(p stratum.Path) *page {
	if pg, ok := v.pages[p]; ok {
		return pg
	}
	known, _ := v.snap.Lookup(p)
	pg := v.k.cache.get(p, known.Hash)
	if pg == nil {
		pg = &page{path: p, note: &stratum.Note{}, kept: new(keptIDs)}
		if f, err := v.k.vault.Read(p); err == nil {
			pg.hash, pg.text = f.Hash, index.Text(f.Content)
			pg.note = markdown.Parse(pg.text)
			v.k.cache.put(pg)
		}
	}
	own := *pg // ids are this view's, the rest is shared and never changes
	v.pages[p] = &own
	return &own
}

// blockID returns the id of the page's i-th block, nil where there is no such
// block.
func (v *view) blockID(ctx context.Context, pg *page, i int) *string {
	if pg.block(i) == nil {
		return nil
	}
	if pg.ids == nil {
		pg.ids = v.ids(ctx, pg)
	}
	return &pg.ids[i]
}

// ids returns the ids of the page's blocks, from memory where nobody has
// committed to blocks.db since they were read from it.
func (v *view) ids(ctx context.Context, pg *page) []string {
	if v.at == nil {
		v.at = v.k.now(ctx)
	}
	ids := pg.kept.get(*v.at)
	if ids == nil {
		ids = v.k.blockIDs(ctx, pg.path, pg.note)
		pg.kept.set(*v.at, ids)
	}
	return ids
}
