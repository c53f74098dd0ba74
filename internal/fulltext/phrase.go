package fulltext

import "slices"

// phraseCursor is the cursor of words that stand one after the other.
type phraseCursor struct {
	parts  []phrasePart // rarest first
	doc    uint32
	count  uint32
	begun  bool
	starts []uint32 // where the phrase may begin in the current doc
	places []uint32 // positions of the part being compared
}

// phrasePart is one word of a phrase and its distance from the phrase's start.
type phrasePart struct {
	c      *termCursor
	offset uint32
}

func newPhraseCursor(parts []phrasePart) *phraseCursor {
	slices.SortStableFunc(parts, func(a, b phrasePart) int { return a.c.p.count - b.c.p.count })
	return &phraseCursor{parts: parts}
}

func (c *phraseCursor) freq() uint32 { return c.count }

func (c *phraseCursor) seek(doc uint32) uint32 {
	if c.begun && c.doc >= doc {
		return c.doc
	}
	c.begun = true
next:
	for {
		c.doc = c.parts[0].c.seek(doc)
		if c.doc == noDoc {
			return noDoc
		}
		for _, p := range c.parts[1:] {
			if d := p.c.seek(c.doc); d != c.doc {
				if d == noDoc {
					c.doc = noDoc
					return noDoc
				}
				doc = d
				continue next
			}
		}
		if c.match(); len(c.starts) > 0 {
			c.count = uint32(len(c.starts))
			return c.doc
		}
		doc = c.doc + 1
	}
}

// match sets starts to where the phrase begins in the current doc.
func (c *phraseCursor) match() {
	c.starts = c.starts[:0]
	c.places = c.parts[0].c.positions(c.places[:0])
	for _, at := range c.places {
		if at >= c.parts[0].offset {
			c.starts = append(c.starts, at-c.parts[0].offset)
		}
	}
	for _, p := range c.parts[1:] {
		if len(c.starts) == 0 {
			return
		}
		c.places = p.c.positions(c.places[:0])
		c.starts = keepFollowed(c.starts, c.places, p.offset)
	}
}

// keepFollowed keeps those starts that have one of places at the distance
// offset. Both are sorted.
func keepFollowed(starts, places []uint32, offset uint32) []uint32 {
	kept, j := starts[:0], 0
	for _, s := range starts {
		for j < len(places) && places[j] < s+offset {
			j++
		}
		if j < len(places) && places[j] == s+offset {
			kept = append(kept, s)
		}
	}
	return kept
}
