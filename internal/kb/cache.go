package kb

import (
	"container/list"
	"sync"

	"stratum"
)

// cacheBytes bounds the source text that the cache holds.
const cacheBytes = 8 << 20

// cache keeps parsed notes that answers were read from, by the hash of their
// bytes: a note is served from it only while the index says that the file has
// that hash.
type cache struct {
	mu    sync.Mutex // guards the fields below
	bytes int
	pages map[stratum.Path]*list.Element
	used  list.List // of *page, most recent first
}

func newCache() *cache { return &cache{pages: make(map[stratum.Path]*list.Element)} }

func (c *cache) get(p stratum.Path, h stratum.Hash) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.pages[p]
	if !ok || e.Value.(*page).hash != h {
		return nil
	}
	c.used.MoveToFront(e)
	return e.Value.(*page)
}

func (c *cache) put(pg *page) {
	if cost(pg) > cacheBytes/2 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.pages[pg.path]; ok {
		c.drop(e)
	}
	c.pages[pg.path] = c.used.PushFront(pg)
	c.bytes += cost(pg)
	for c.bytes > cacheBytes {
		c.drop(c.used.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	pg := c.used.Remove(e).(*page)
	delete(c.pages, pg.path)
	c.bytes -= cost(pg)
}

// cost estimates the bytes that a page takes: its text, and what the parser
// made of it.
func cost(pg *page) int {
	return len(pg.text) + 256*len(pg.note.Blocks) + 96*len(pg.note.Links) + 512
}
