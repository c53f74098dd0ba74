package fulltext

import "sort"

// A doc is what postings point at: a title, alias or block of a note. Each has
// one byte, its norm, that says which of these it is and, roughly, how many
// words it has.
const (
	headingNorm = 160 // the norms of headings begin here, those of body blocks at 0
	titleNorm   = 208 // the norms of titles and aliases begin here
)

// normLength gives the words of a doc by its norm. Lengths are exact up to
// the number of words that most docs have, then grow in steps.
var normLength = func() (t [256]uint32) {
	fill := func(t []uint32, exact, percent uint32) {
		for i := range t {
			if n := uint32(i); n <= exact {
				t[i] = n
			} else {
				t[i] = max(t[i-1]+1, t[i-1]*(100+percent)/100)
			}
		}
	}
	fill(t[:headingNorm], 40, 9)
	fill(t[headingNorm:titleNorm], 23, 25)
	fill(t[titleNorm:], 23, 25)
	return t
}()

// normOf returns the norm of a doc with the given number of words. from is 0,
// headingNorm or titleNorm.
func normOf(from, words int) byte {
	to := 256
	switch from {
	case 0:
		to = headingNorm
	case headingNorm:
		to = titleNorm
	}
	lengths := normLength[from:to]
	n := sort.Search(len(lengths), func(i int) bool { return int(lengths[i]) > words })
	return byte(from + n - 1)
}

// BM25's parameters, and what the fields add. A term's part of a score is in
// (0,1) for body text, (1,2) for a heading and above 2 for a title.
const (
	saturation   = 1.2
	lengthWeight = 0.75
	headingTier  = 1
	titleTier    = 2
	bodyBesides  = 0.25 // share of the block's own part where the note's title matches too
)

// weights turns the frequency of a term in a doc into its part of the score.
type weights struct {
	tier [256]float64
	k    [256]float64
}

// newWeights returns the weights for docs of the given mean lengths.
func newWeights(blockMean, titleMean float64) *weights {
	w := &weights{}
	for n := range 256 {
		mean := blockMean
		switch {
		case n >= titleNorm:
			w.tier[n], mean = titleTier, titleMean
		case n >= headingNorm:
			w.tier[n] = headingTier
		}
		w.k[n] = saturation
		if mean > 0 {
			w.k[n] = saturation * (1 - lengthWeight + float64(lengthWeight*float64(normLength[n])/mean))
		}
	}
	return w
}

// part returns the part of the score of freq occurrences in a doc.
func (w *weights) part(norm byte, freq uint32) float64 {
	f := float64(freq)
	return w.tier[norm] + f/(f+w.k[norm])
}

// besides returns what a block's own part adds to that of its note's title.
func besides(own float64) float64 { return float64(bodyBesides * own) }
