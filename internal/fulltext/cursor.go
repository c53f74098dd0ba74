package fulltext

import (
	"encoding/binary"
	"math/bits"
)

// noDoc is what a cursor at its end gives.
const noDoc = ^uint32(0)

// A cursor walks over the docs of a segment that have a term, upwards.
type cursor interface {
	// seek moves to the first doc not before doc and returns it, or noDoc. It
	// never moves back.
	seek(doc uint32) uint32
	// freq returns how often the doc of the last seek has the term.
	freq() uint32
}

// termCursor is the cursor of one postings list.
type termCursor struct {
	p     postings
	block int // the block decoded; -1 before the first
	n, i  int // docs decoded, and which of them is the current one
	docs  [packed]uint32
	freqs [packed]uint32

	freqAt    []byte // packed frequencies not yet decoded, or nil
	freqWidth int
	place     int // offset in places of the positions of docs[placeOf]
	placeOf   int
}

func (c *termCursor) reset(p postings) {
	c.p, c.block, c.n, c.i, c.freqAt = p, -1, 0, 0, nil
}

// next decodes the following block and reports whether there is one. Its first
// doc becomes the current one.
func (c *termCursor) next() bool { return c.load(c.block + 1) }

// load decodes the given block. It stops at what is damaged.
func (c *termCursor) load(block int) bool {
	c.n, c.i, c.freqAt = 0, 0, nil
	full := c.p.full()
	if block > full {
		c.block = full + 1
		return false
	}
	c.block = block
	before := ^uint32(0) // the doc before the block's first
	at := uint32(0)
	c.place, c.placeOf = 0, 0
	var last uint32
	if full > 0 {
		if block > 0 {
			before, _, _ = c.p.skip(block - 1)
		}
		var place uint32
		last, at, place = c.p.skip(block)
		c.place = int(min(place, uint32(len(c.p.places))))
	}
	if int64(at) > int64(c.p.size) {
		return c.damaged()
	}
	if block == full {
		return c.loadRest(c.p.blocks[at:c.p.size], before)
	}
	b := c.p.blocks[at:]
	if len(b) < 2 || b[0] > 32 || b[1] > 32 {
		return c.damaged()
	}
	docs, freqs := int(b[0]), int(b[1])
	b = b[2:]
	if len(b) < packedSize(docs)+packedSize(freqs)+spare {
		return c.damaged()
	}
	unpack(&c.docs, b, docs)
	doc, sum := before, uint64(before+1)
	for i, gap := range c.docs {
		sum += uint64(gap) + 1
		doc += gap + 1
		c.docs[i] = doc
	}
	if sum != uint64(last)+1 || last >= c.p.docs {
		return c.damaged()
	}
	c.n, c.freqAt, c.freqWidth = packed, b[packedSize(docs):], freqs
	return true
}

// loadRest decodes the docs behind the last full block.
func (c *termCursor) loadRest(b []byte, before uint32) bool {
	sum := uint64(before + 1) // the least doc that may follow
	for c.n < c.p.count%packed {
		gap, w := binary.Uvarint(b)
		if w <= 0 {
			break
		}
		b = b[w:]
		c.freqs[c.n] = 1
		if gap&1 == 0 {
			freq, w := binary.Uvarint(b)
			if w <= 0 {
				break
			}
			b = b[w:]
			c.freqs[c.n] = uint32(freq) + 1
		}
		if gap/2 >= uint64(c.p.docs) || sum+gap/2 >= uint64(c.p.docs) {
			break
		}
		sum += gap / 2
		c.docs[c.n] = uint32(sum)
		sum++
		c.n++
	}
	return c.n > 0
}

func (c *termCursor) damaged() bool {
	c.n, c.block = 0, c.p.full()+1
	return false
}

func (c *termCursor) seek(doc uint32) uint32 {
	if c.i < c.n && c.docs[c.i] >= doc {
		return c.docs[c.i]
	}
	if c.n == 0 || c.docs[c.n-1] < doc {
		if !c.load(c.blockOf(doc)) {
			return noDoc
		}
	}
	if c.docs[c.i] >= doc {
		return c.docs[c.i]
	}
	if c.i++; c.i < c.n && c.docs[c.i] >= doc { // the step by one is the common one
		return c.docs[c.i]
	}
	lo, hi := c.i, c.n
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); c.docs[mid] < doc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	c.i = lo
	if lo < c.n {
		return c.docs[lo]
	}
	// Only the rest has no skip to say that doc lies behind it.
	c.n, c.block = 0, c.p.full()+1
	return noDoc
}

// blockOf returns the first block behind the current one whose last doc is
// not before doc.
func (c *termCursor) blockOf(doc uint32) int {
	full := c.p.full()
	lo, hi := c.block+1, full
	for step := 1; lo < hi; step *= 2 { // nearby first
		at := min(c.block+step, full)
		if at == full {
			break
		}
		if last, _, _ := c.p.skip(at); last >= doc {
			hi = at
			break
		}
		lo = at + 1
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if last, _, _ := c.p.skip(mid); last < doc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (c *termCursor) freq() uint32 {
	c.needFreqs()
	return c.freqs[c.i]
}

// needFreqs decodes the block's frequencies unless that is done.
func (c *termCursor) needFreqs() {
	if c.freqAt == nil {
		return
	}
	unpack(&c.freqs, c.freqAt, c.freqWidth)
	for i := range c.freqs {
		c.freqs[i]++
	}
	c.freqAt = nil
}

// toPlaces moves place to the positions of the current doc. Of the docs of one
// block it must be asked in their order.
func (c *termCursor) toPlaces() {
	c.needFreqs()
	skip := uint64(0)
	for ; c.placeOf < c.i; c.placeOf++ {
		skip += uint64(c.freqs[c.placeOf])
	}
	c.place = skipUvarints(c.p.places, c.place, skip)
	c.placeOf = c.i + 1
}

// placeBytes returns the encoded positions of the current doc, on the
// condition of toPlaces.
func (c *termCursor) placeBytes() []byte {
	c.toPlaces()
	from := c.place
	c.place = skipUvarints(c.p.places, from, uint64(c.freqs[c.i]))
	return c.p.places[from:c.place]
}

// positions appends the positions of the current doc to dst, on the condition
// of toPlaces.
func (c *termCursor) positions(dst []uint32) []uint32 {
	c.toPlaces()
	b, at := c.p.places, c.place
	var pos uint32
	for range c.freqs[c.i] {
		if at >= len(b) {
			break
		}
		if x := b[at]; x < 0x80 {
			pos += uint32(x)
			at++
		} else {
			x, w := binary.Uvarint(b[at:])
			if w <= 0 {
				at = len(b)
				break
			}
			pos += uint32(x)
			at += w
		}
		dst = append(dst, pos)
	}
	c.place = at
	return dst
}

// skipUvarints returns where the n uvarints end that begin at byte at of b.
func skipUvarints(b []byte, at int, n uint64) int {
	const high = 0x8080808080808080
	for n >= 8 && len(b)-at >= 8 {
		ends := 8 - bits.OnesCount64(binary.LittleEndian.Uint64(b[at:])&high)
		at += 8
		n -= uint64(ends)
	}
	for ; n > 0 && at < len(b); at++ {
		if b[at] < 0x80 {
			n--
		}
	}
	return at
}

// listCursor is the cursor of docs that were gathered before.
type listCursor struct {
	docs  []uint32
	freqs []uint32
	i     int
}

func (c *listCursor) seek(doc uint32) uint32 {
	lo := c.i
	step := 1
	for lo < len(c.docs) && c.docs[lo] < doc { // gallop
		c.i = lo + 1
		lo += step
		step *= 2
	}
	hi := min(lo, len(c.docs))
	for lo = c.i; lo < hi; {
		if mid := int(uint(lo+hi) >> 1); c.docs[mid] < doc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	c.i = lo
	if lo < len(c.docs) {
		return c.docs[lo]
	}
	return noDoc
}

func (c *listCursor) freq() uint32 { return c.freqs[c.i] }

// liveCount returns how many docs of the list are not deleted.
func (p *postings) liveCount(v *view, c *termCursor) int {
	if v.deleted == 0 || p.count == 0 {
		return p.count
	}
	c.reset(*p)
	n := p.count
	if v.deletedNotes*4 < p.count/packed { // few holes in a long list: look only there
		for note := range v.deletedRanges() {
			for d := c.seek(note.start); d < note.end; d = c.seek(d + 1) {
				n--
			}
		}
		return n
	}
	n = 0
	for c.next() {
		for _, d := range c.docs[:c.n] {
			if !v.isDeleted(d) {
				n++
			}
		}
	}
	return n
}
