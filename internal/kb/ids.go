package kb

import (
	"context"
	"sync"

	"stratum"
	"stratum/internal/store"
)

// moment is a state of blocks.db: one opening of it and its generation. The
// zero moment is none, and nothing is kept for it.
type moment struct {
	store      *store.Store
	generation int64
}

// now returns the present moment of blocks.db.
func (k *KB) now(ctx context.Context) *moment {
	s := k.index.Store()
	if s == nil {
		return &moment{}
	}
	n, err := s.Generation(ctx)
	if err != nil {
		return &moment{}
	}
	return &moment{s, n}
}

// keptIDs are the ids of a page's blocks at one moment.
type keptIDs struct {
	mu  sync.Mutex // guards the fields below
	at  moment
	ids []string
}

// get returns the ids if they are those of the moment, else nil.
func (c *keptIDs) get(at moment) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at != at {
		return nil
	}
	return c.ids
}

func (c *keptIDs) set(at moment, ids []string) {
	if at == (moment{}) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.ids = at, ids
}

// blockIDs returns the ids of the note's blocks (decision 6.8). Where the
// database cannot be asked they are what an empty one would get.
func (k *KB) blockIDs(ctx context.Context, p stratum.Path, n *stratum.Note) []string {
	if s := k.index.Store(); s != nil {
		ids, err := s.BlockIDs(ctx, p, n)
		if err == nil {
			return ids
		}
		k.index.Suspect(s, err)
		if ctx.Err() == nil {
			k.opt.Log.Warn("read block ids", "note", p.String(), "error", err)
		}
	}
	return store.AssignIDs(p, n.Blocks, nil, noneTaken)
}

func noneTaken([]string) map[string]bool { return nil }
