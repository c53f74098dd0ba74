package store

import (
	"cmp"
	"slices"
)

const (
	// similarMin is how much of a text an edit may leave and still be one.
	similarMin = 0.5
	// samePlace is what a parent or a left sibling in common adds.
	samePlace = 0.25
	// pairsMax bounds the pairs that are compared, whatever was rewritten.
	pairsMax = 10_000
)

// likeness is how alike an open block and a free row are.
type likeness struct {
	score      float64
	apart      int // distance of their places among what is left
	block, row int
}

// matchSimilar pairs blocks with rows of nearly the same text, the most alike
// first: an edit keeps the id even when blocks came or went beside it.
func (m *matcher) matchSimilar() {
	blocks, rows := m.left()
	if len(blocks) == 0 || len(rows) == 0 {
		return
	}
	reach := max(4, pairsMax/len(blocks)/2)
	var pairs []likeness
	for x, i := range blocks {
		at := x * len(rows) / len(blocks)
		for y := max(0, at-reach); y < min(len(rows), at+reach+1); y++ {
			j := rows[y]
			alike := similarity(m.texts[i], m.rows[j].Content)
			if alike < similarMin {
				continue
			}
			if parent, ok := m.idOf(m.blocks[i].Parent); ok && parent == m.rows[j].Parent {
				alike += samePlace
			}
			if left, ok := m.idOf(m.blocks[i].Left); ok && left == m.rows[j].Left {
				alike += samePlace
			}
			pairs = append(pairs, likeness{alike, max(x-y, y-x), i, j})
		}
	}
	slices.SortFunc(pairs, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.apart, b.apart),
			cmp.Compare(a.block, b.block), cmp.Compare(a.row, b.row))
	})
	for _, p := range pairs {
		if m.open(p.block) && !m.gone[p.row] {
			m.pair(p.block, p.row)
		}
	}
}

// left returns the blocks without an id and the rows without a block.
func (m *matcher) left() (blocks, rows []int) {
	for j := range m.rows {
		if !m.gone[j] {
			rows = append(rows, j)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	for i := range m.blocks {
		if m.open(i) {
			blocks = append(blocks, i)
		}
	}
	return blocks, rows
}

// similarity returns the share of the longer text, in bytes, that the common
// start and the common end make up.
func similarity(a, b string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if 2*len(a) < len(b) { // the shorter text is the most that can agree
		return 0
	}
	head := 0
	for head < len(a) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if len(b) == 0 {
		return 1
	}
	return float64(head+tail) / float64(len(b))
}
