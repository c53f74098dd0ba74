package fulltext

import (
	"math"
	"slices"
)

// found is a hit while it competes. A greater rank is a better hit.
type found struct {
	rank  uint64
	note  NoteID
	block int32
}

// top counts hits and keeps the best.
type top struct {
	keep  int
	total int
	order func(a, b NoteID) int
	hits  []found // a heap, the worst first, once there are keep
}

// rankOf returns the rank of a hit by the number of words it has, where that
// counts, and then by its score.
func rankOf(matched int, score float64) uint64 {
	return uint64(matched)<<32 | uint64(math.Float32bits(float32(score)))
}

// scoreOf returns the score in a rank.
func scoreOf(rank uint64) float64 { return float64(math.Float32frombits(uint32(rank))) }

// floor returns the rank below which a hit is counted but not kept.
func (t *top) floor() uint64 {
	switch {
	case t.keep == 0:
		return math.MaxUint64
	case len(t.hits) < t.keep:
		return 0
	}
	return t.hits[0].rank
}

// add counts a hit: doc of v, or the note that begins at doc, which has no
// block to stand for it.
func (t *top) add(v *view, doc uint32, rank uint64) {
	t.total++
	if rank >= t.floor() {
		t.put(v, doc, rank)
	}
}

// put keeps a hit if it is one of the best.
func (t *top) put(v *view, doc uint32, rank uint64) {
	s := v.seg
	f := found{rank: rank, note: s.id(s.noteOf(doc)), block: -1}
	if s.norms[doc] < titleNorm {
		start := s.start(doc)
		f.block = int32(doc - s.firstBlock(start, doc))
	}
	switch {
	case len(t.hits) < t.keep:
		t.hits = append(t.hits, f)
		if len(t.hits) == t.keep {
			for i := len(t.hits)/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
		}
	case t.keep > 0 && t.compare(f, t.hits[0]) < 0:
		t.hits[0] = f
		t.sink(0)
	}
}

// sink moves hits[i] down until neither hit below it is worse.
func (t *top) sink(i int) {
	f := t.hits[i]
	for {
		child := 2*i + 1
		if child >= len(t.hits) {
			break
		}
		if next := child + 1; next < len(t.hits) && t.compare(t.hits[next], t.hits[child]) > 0 {
			child = next
		}
		if t.compare(t.hits[child], f) <= 0 {
			break
		}
		t.hits[i] = t.hits[child]
		i = child
	}
	t.hits[i] = f
}

// compare orders better hits first.
func (t *top) compare(a, b found) int {
	switch {
	case a.rank > b.rank:
		return -1
	case a.rank < b.rank:
		return 1
	case a.note == b.note:
		return int(a.block) - int(b.block)
	}
	if t.order != nil {
		if c := t.order(a.note, b.note); c != 0 {
			return c
		}
	}
	if a.note < b.note {
		return -1
	}
	return 1
}

// sorted returns the hits from offset on, best first.
func (t *top) sorted(offset int) []found {
	slices.SortFunc(t.hits, t.compare)
	return t.hits[min(offset, len(t.hits)):]
}
