package fulltext

import "slices"

const (
	// segmentsMax is how many segments an index has at most beside large ones.
	segmentsMax = 8
	// mergeAtOnce is the fewest segments that are merged when there are too many.
	mergeAtOnce = 4
)

// Index is a full-text index. It never changes and is safe for concurrent
// use. The zero Index has no notes.
type Index struct {
	views   []*view // oldest first; an id is live in one of them at most
	counts  counts
	weights *weights
}

func newIndex(views []*view) *Index {
	x := &Index{views: views}
	for _, v := range views {
		x.counts.add(v.counts, 1)
	}
	x.weights = newWeights(mean(x.counts.blockWords, x.counts.blocks), mean(x.counts.titleWords, x.counts.titles))
	return x
}

func mean(words int64, docs int) float64 {
	if docs == 0 {
		return 0
	}
	return float64(words) / float64(docs)
}

// Notes returns the number of notes.
func (x *Index) Notes() int { return x.counts.notes }

// Blocks returns the number of blocks.
func (x *Index) Blocks() int { return x.counts.blocks }

// Segments returns the number of segments.
func (x *Index) Segments() int { return len(x.views) }

// Bytes returns about how much memory the index takes.
func (x *Index) Bytes() int64 {
	n := int64(0)
	for _, v := range x.views {
		n += v.seg.bytes() + 8*int64(len(v.gone))
	}
	return n
}

// With returns the index after some notes have been added or changed and
// others removed. Of several changed notes with one id the last counts. An id
// that is both is changed. x stays as it is.
func (x *Index) With(changed []Note, removed []NoteID) *Index {
	views := x.without(changed, removed)
	b := NewBuilder()
	for _, n := range changed {
		b.Add(n)
	}
	added := make([]*view, 0, 1)
	for _, s := range b.finish() {
		added = append(added, newView(s))
	}
	keepLast(added)
	return newIndex(tidy(append(views, added...)))
}

// without returns the views of x without the given notes.
func (x *Index) without(changed []Note, removed []NoteID) []*view {
	gone := make([]NoteID, 0, len(changed)+len(removed))
	for _, n := range changed {
		gone = append(gone, n.ID)
	}
	gone = append(gone, removed...)
	slices.Sort(gone)
	gone = slices.Compact(gone)
	notes := make([][]int, len(x.views))
	for _, id := range gone {
		for i := len(x.views) - 1; i >= 0; i-- {
			if note, ok := x.views[i].find(id); ok {
				notes[i] = append(notes[i], note)
				break
			}
		}
	}
	views := make([]*view, 0, len(x.views)+1)
	for i, v := range x.views {
		if len(notes[i]) > 0 {
			v = v.without(notes[i])
		}
		views = append(views, v)
	}
	return views
}

// tidy keeps the number of views and of deleted notes small, so that each
// change pays a bounded share of it.
func tidy(views []*view) []*view {
	kept := views[:0]
	for _, v := range views {
		switch {
		case v.counts.docs == 0:
		case int(v.deleted) > v.counts.docs:
			kept = append(kept, merge([]*view{v}))
		default:
			kept = append(kept, v)
		}
	}
	large, small := split(kept)
	if len(small) <= segmentsMax {
		return kept
	}
	// The newest are merged: some, and on while the one before is no larger
	// than what is merged already.
	from := len(small) - mergeAtOnce
	words := int64(0)
	for _, v := range small[from:] {
		words += v.counts.words()
	}
	for from > 0 && small[from-1].counts.words() <= words {
		from--
		words += small[from].counts.words()
	}
	return append(append(large, small[:from]...), merge(small[from:]))
}

// split returns the views that are too large to be merged for a small change,
// and the others.
func split(views []*view) (large, small []*view) {
	for _, v := range views {
		if v.counts.words() >= segmentWords/2 {
			large = append(large, v)
		} else {
			small = append(small, v)
		}
	}
	return large, small
}

// NeedsCompaction reports whether enough is deleted for [Index.Compact] to be
// worth its time.
func (x *Index) NeedsCompaction() bool {
	deleted := 0
	for _, v := range x.views {
		deleted += int(v.deleted)
	}
	return deleted > 1000 && deleted*5 > x.counts.docs
}

// Compact returns an index of the same notes without what was deleted, in few
// segments. It takes about a second for ten million words; the caller may run
// it beside other work, and swaps only if the index is still x.
func (x *Index) Compact() *Index { return newIndex(mergeAll(slices.Clone(x.views))) }
