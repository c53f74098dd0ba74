package fulltext

import "encoding/binary"

// A postings list gives the docs of one term in order, how often each has it
// and where:
//
//	count   uvarint, docs
//	skips   skipSize bytes for each full block of packed docs and one for the
//	        rest; none when there is no full block
//	size    uvarint, bytes of what follows up to the places
//	blocks  full ones: width of docs, width of frequencies, docs, frequencies.
//	        The rest: for each doc uvarint gap*2, plus 1 when the frequency is
//	        1, else followed by the frequency as uvarint
//	places  for each doc its positions as uvarints, each less the one before
//
// A doc is written as the gap to the one before, less 1; a frequency less 1.
type postings struct {
	count  int
	skips  []byte
	blocks []byte // goes on past its end, for unpack's sake
	size   int    // bytes of blocks
	places []byte
	docs   uint32 // docs in the segment; every doc of the list is less
}

// A skip is the block's last doc and its offsets in blocks and places.
const skipSize = 12

// full returns the number of full blocks.
func (p *postings) full() int { return p.count / packed }

func (p *postings) skip(block int) (last, at, place uint32) {
	b := p.skips[block*skipSize:]
	return binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
}

// readPostings reads the list at bytes from to from+n of b. A damaged list
// is empty.
func readPostings(b []byte, from, n int, docs uint32) (p postings) {
	if from < 0 || n < 0 || from > len(b) || n > len(b)-from {
		return postings{}
	}
	rest := b[from : from+n]
	count, w := binary.Uvarint(rest)
	if w <= 0 || count > uint64(docs) {
		return postings{}
	}
	rest = rest[w:]
	p = postings{count: int(count), docs: docs}
	if full := p.full(); full > 0 {
		n := (full + 1) * skipSize
		if n > len(rest) {
			return postings{}
		}
		p.skips, rest = rest[:n], rest[n:]
	}
	size, w := binary.Uvarint(rest)
	if w <= 0 || size > uint64(len(rest)-w) {
		return postings{}
	}
	rest = rest[w:]
	p.size = int(size)
	p.blocks = b[from+n-len(rest):]
	p.places = rest[size:]
	return p
}

// listWriter writes one postings list after the other.
type listWriter struct {
	docs, freqs [packed]uint32
	n           int    // docs not yet in a block
	count       int    // docs of the list
	last        uint32 // the doc before; the greatest uint32 at first
	skips       []byte
	blocks      []byte
	places      []byte
	blockAt     int // offset in places of the docs not yet in a block
}

func (w *listWriter) reset() {
	w.n, w.count, w.last, w.blockAt = 0, 0, ^uint32(0), 0
	w.skips, w.blocks, w.places = w.skips[:0], w.blocks[:0], w.places[:0]
}

// add appends a doc, whose freq positions the caller then appends to places.
func (w *listWriter) add(doc, freq uint32) {
	if w.n == packed {
		w.flush()
	}
	if w.n == 0 {
		w.blockAt = len(w.places)
	}
	w.docs[w.n] = doc - w.last - 1
	w.freqs[w.n] = freq - 1
	w.last = doc
	w.n++
	w.count++
}

// flush packs a full block.
func (w *listWriter) flush() {
	w.appendSkip()
	docs, freqs := widthOf(&w.docs), widthOf(&w.freqs)
	w.blocks = append(w.blocks, byte(docs), byte(freqs))
	w.blocks = appendPacked(w.blocks, &w.docs, docs)
	w.blocks = appendPacked(w.blocks, &w.freqs, freqs)
	w.n = 0
}

func (w *listWriter) appendSkip() {
	w.skips = binary.LittleEndian.AppendUint32(w.skips, w.last)
	w.skips = binary.LittleEndian.AppendUint32(w.skips, uint32(len(w.blocks)))
	w.skips = binary.LittleEndian.AppendUint32(w.skips, uint32(w.blockAt))
}

// appendTo appends the list to b and makes the writer ready for the next.
func (w *listWriter) appendTo(b []byte) []byte {
	if w.n == packed {
		w.flush()
	}
	if w.n == 0 {
		w.blockAt = len(w.places)
	}
	if len(w.skips) > 0 {
		w.appendSkip()
	}
	for i := range w.n {
		gap := uint64(w.docs[i]) * 2
		if w.freqs[i] == 0 {
			w.blocks = binary.AppendUvarint(w.blocks, gap+1)
			continue
		}
		w.blocks = binary.AppendUvarint(w.blocks, gap)
		w.blocks = binary.AppendUvarint(w.blocks, uint64(w.freqs[i]))
	}
	b = binary.AppendUvarint(b, uint64(w.count))
	b = append(b, w.skips...)
	b = binary.AppendUvarint(b, uint64(len(w.blocks)))
	b = append(b, w.blocks...)
	b = append(b, w.places...)
	w.reset()
	return b
}
