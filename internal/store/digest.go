package store

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"stratum"
)

// PageDigest is what a page's rows say, in short: equal digests of the rows
// and of the note mean that the app reads what the note says. Ids, timestamps
// and collapsed do not count. Digests are the same in every process.
type PageDigest struct {
	Path stratum.Path
	// Page is title, frontmatter and number of blocks; Blocks is, in order,
	// each block's content, place in the outline, marker, priority, heading
	// level and properties; Links is each link's source and target, in any
	// order. Rows that the app cannot read have digests that no note has, and
	// so have blocks without a row of pages.
	Page, Blocks, Links stratum.Hash
}

// DigestOf returns the digest that the rows of p would have. A page that Put
// would refuse has one that no rows have.
func DigestOf(p Page) PageDigest {
	d, err := newDraft(p)
	if err != nil {
		return PageDigest{Path: p.Path}
	}
	var g digester
	g.page(&d.page, d.page.frontmatter, true)
	for i := range d.blocks {
		in := &p.Note.Blocks[i]
		g.block(&d.blocks[i], in.Parent, in.Left, d.blocks[i].properties, true)
	}
	digest := g.sum(p.Path)
	var links linkSum
	for i := range d.links {
		links.add(&g, &d.links[i])
	}
	digest.Links = links.hash()
	return digest
}

// digester gathers the rows of pages and blocks of one page. The zero digester
// is ready, and is again after reset.
type digester struct {
	pages, blocks []byte
	link          []byte // scratch of linkSum
}

func (g *digester) reset() { g.pages, g.blocks = g.pages[:0], g.blocks[:0] }

// sum returns the digest of what was gathered, without links.
func (g *digester) sum(p stratum.Path) PageDigest {
	return PageDigest{Path: p, Page: shortSum(g.pages), Blocks: shortSum(g.blocks)}
}

func shortSum(b []byte) stratum.Hash {
	sum := sha256.Sum256(b)
	return stratum.Hash(sum[:])
}

// damage follows a row that the app cannot read; nothing else begins with it,
// for it would be the length of a field.
var damage = []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}

// page adds the row of pages; frontmatter is its canonical form.
func (g *digester) page(p *pageRow, frontmatter string, readable bool) {
	g.pages = appendField(g.pages, p.title)
	g.pages = appendField(g.pages, frontmatter)
	g.pages = binary.AppendVarint(g.pages, p.blockCount)
	if !readable {
		g.pages = append(g.pages, damage...)
	}
}

// block adds a block; parent and left are ordinals in the page, -1 for none;
// properties are in canonical form.
func (g *digester) block(b *blockRow, parent, left int, properties string, readable bool) {
	g.blocks = appendField(g.blocks, b.content)
	g.blocks = binary.AppendVarint(g.blocks, int64(parent))
	g.blocks = binary.AppendVarint(g.blocks, int64(left))
	g.blocks = appendField(g.blocks, b.marker)
	g.blocks = appendField(g.blocks, b.priority)
	g.blocks = binary.AppendVarint(g.blocks, b.headingLevel)
	g.blocks = appendField(g.blocks, properties)
	if !readable {
		g.blocks = append(g.blocks, damage...)
	}
}

// linkSum is the sum of the hashes of a page's links: the links table is read
// in its own order, not by page.
type linkSum struct{ high, low uint64 }

func (s *linkSum) add(g *digester, l *linkRow) {
	b := binary.AppendVarint(g.link[:0], int64(l.block))
	b = appendField(b, l.kind)
	b = appendField(b, l.page)
	b = appendField(b, l.targetBlock)
	if l.damaged {
		b = append(b, damage...)
	}
	g.link = b
	sum := sha256.Sum256(b)
	var carry uint64
	s.low, carry = bits.Add64(s.low, binary.BigEndian.Uint64(sum[8:]), 0)
	s.high, _ = bits.Add64(s.high, binary.BigEndian.Uint64(sum[:]), carry)
}

func (s *linkSum) hash() (h stratum.Hash) {
	binary.BigEndian.PutUint64(h[:], s.high)
	binary.BigEndian.PutUint64(h[8:], s.low)
	return h
}

func appendField(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
