package fulltext

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// A dict is the sorted terms of a segment and where their postings lie. Terms
// stand in groups; within a group each is written as the bytes it shares with
// the one before, the bytes that follow, and the size of its postings.
type dict struct {
	groups []byte // for each group: offset of its terms, offset of its postings, both uint32
	terms  []byte
	count  int
}

const (
	groupTerms = 16
	groupSize  = 8
	termMax    = 255 // bytes of a term
)

func (d *dict) groupCount() int { return (d.count + groupTerms - 1) / groupTerms }

func (d *dict) group(i int) (terms, postings int) {
	b := d.groups[i*groupSize:]
	return int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
}

// check reports what is wrong with the groups of a dict that was read.
func (d *dict) check(postings int) error {
	if d.count < 0 || d.count > len(d.terms) || len(d.groups) != d.groupCount()*groupSize {
		return errors.New("dictionary of the wrong size")
	}
	for i := range d.groupCount() {
		if t, p := d.group(i); t > len(d.terms) || p > postings {
			return errors.New("dictionary points outside")
		}
	}
	return nil
}

// dictIter walks over terms in order.
type dictIter struct {
	d        *dict
	at       int // index of the next term
	offset   int // of the next term in terms
	n        int
	from     int // where the current term's postings begin
	size     int // and their bytes
	postings int // where the next term's postings begin
	buf      [termMax]byte
}

// term returns the current term, valid until the iterator moves.
func (it *dictIter) term() []byte { return it.buf[:it.n] }

// start moves before the first term of group i.
func (it *dictIter) start(d *dict, i int) {
	it.d, it.at, it.n = d, i*groupTerms, 0
	if it.at < d.count {
		it.offset, it.postings = d.group(i)
	}
}

// next moves to the following term and reports whether there is one.
func (it *dictIter) next() bool {
	if it.at >= it.d.count {
		return false
	}
	b := it.d.terms[min(it.offset, len(it.d.terms)):]
	shared, w1 := binary.Uvarint(b)
	if w1 <= 0 || shared > uint64(it.n) {
		return it.damaged()
	}
	rest, w2 := binary.Uvarint(b[w1:])
	b = b[w1+max(w2, 0):]
	if w2 <= 0 || rest > uint64(len(b)) || shared+rest > termMax {
		return it.damaged()
	}
	it.n = int(shared) + copy(it.buf[shared:], b[:rest])
	size, w3 := binary.Uvarint(b[rest:])
	if w3 <= 0 || size > 1<<32 {
		return it.damaged()
	}
	it.offset += w1 + w2 + int(rest) + w3
	it.from, it.size = it.postings, int(size)
	it.postings += int(size)
	it.at++
	return true
}

func (it *dictIter) damaged() bool {
	it.at = it.d.count
	return false
}

// seek moves to the first term that is not before term and reports whether
// there is one.
func (it *dictIter) seek(d *dict, term []byte) bool {
	lo, hi := 0, d.groupCount() // the last group whose first term is not behind term
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if bytes.Compare(d.first(mid), term) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	for it.start(d, lo); it.next(); {
		if bytes.Compare(it.term(), term) >= 0 {
			return true
		}
	}
	return false
}

// first returns the first term of group i.
func (d *dict) first(i int) []byte {
	at, _ := d.group(i)
	b := d.terms[at:]
	_, w1 := binary.Uvarint(b) // shares nothing
	b = b[max(w1, 0):]
	n, w2 := binary.Uvarint(b)
	b = b[max(w2, 0):]
	return b[:min(n, uint64(len(b)))]
}

// dictWriter writes a dict; terms are added in order.
type dictWriter struct {
	d        dict
	last     []byte
	postings int
}

// add appends a term with the size of its postings.
func (w *dictWriter) add(term []byte, size int) {
	shared := 0
	if w.d.count%groupTerms == 0 {
		w.d.groups = binary.LittleEndian.AppendUint32(w.d.groups, uint32(len(w.d.terms)))
		w.d.groups = binary.LittleEndian.AppendUint32(w.d.groups, uint32(w.postings))
	} else {
		for shared < len(term) && shared < len(w.last) && term[shared] == w.last[shared] {
			shared++
		}
	}
	w.d.terms = binary.AppendUvarint(w.d.terms, uint64(shared))
	w.d.terms = binary.AppendUvarint(w.d.terms, uint64(len(term)-shared))
	w.d.terms = append(w.d.terms, term[shared:]...)
	w.d.terms = binary.AppendUvarint(w.d.terms, uint64(size))
	w.last = append(w.last[:0], term...)
	w.postings += size
	w.d.count++
}
