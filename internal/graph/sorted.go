package graph

import (
	"iter"
	"slices"
	"sort"
)

// leafLen is the length at which a leaf of a sorted list is cut in two.
const leafLen = 512

// sorted is an ordered list in leaves, under copy-on-write: a change copies
// one leaf and the list of leaves. No leaf is empty.
type sorted[T any] struct {
	leaves [][]T
	n      int
}

// sortedOf cuts an ordered slice, which it keeps, into leaves.
func sortedOf[T any](items []T) sorted[T] {
	s := sorted[T]{n: len(items)}
	for leaf := range slices.Chunk(items, leafLen*3/4) {
		s.leaves = append(s.leaves, leaf)
	}
	return s
}

// find returns leaf and index of the first item for which before is false;
// before must be true for a prefix of the list only.
func (s *sorted[T]) find(before func(T) bool) (leaf, i int) {
	leaf = sort.Search(len(s.leaves), func(i int) bool {
		return !before(s.leaves[i][len(s.leaves[i])-1])
	})
	if leaf == len(s.leaves) {
		return leaf, 0
	}
	return leaf, sort.Search(len(s.leaves[leaf]), func(i int) bool {
		return !before(s.leaves[leaf][i])
	})
}

// first returns the first item for which before is false.
func (s *sorted[T]) first(before func(T) bool) (item T, ok bool) {
	leaf, i := s.find(before)
	if leaf == len(s.leaves) {
		return item, false
	}
	return s.leaves[leaf][i], true
}

// from yields the items for which before is false.
func (s *sorted[T]) from(before func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		leaf, i := s.find(before)
		for ; leaf < len(s.leaves); leaf, i = leaf+1, 0 {
			for _, item := range s.leaves[leaf][i:] {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// all yields every item.
func (s *sorted[T]) all() iter.Seq[T] {
	return s.from(func(T) bool { return false })
}

// insert puts item before the first item for which before is false.
func (s *sorted[T]) insert(item T, before func(T) bool) {
	s.n++
	leaf, i := s.find(before)
	if leaf == len(s.leaves) {
		if leaf == 0 {
			s.leaves = [][]T{{item}}
			return
		}
		leaf--
		i = len(s.leaves[leaf])
	}
	old := s.leaves[leaf]
	grown := make([]T, 0, len(old)+1)
	grown = append(append(append(grown, old[:i]...), item), old[i:]...)
	s.leaves = slices.Clone(s.leaves)
	if len(grown) <= leafLen {
		s.leaves[leaf] = grown
		return
	}
	half := len(grown) / 2
	s.leaves[leaf] = slices.Clone(grown[:half])
	s.leaves = slices.Insert(s.leaves, leaf+1, slices.Clone(grown[half:]))
}

// replace puts item in the place of the first item for which before is false.
func (s *sorted[T]) replace(item T, before func(T) bool) {
	leaf, i := s.find(before)
	changed := slices.Clone(s.leaves[leaf])
	changed[i] = item
	s.leaves = slices.Clone(s.leaves)
	s.leaves[leaf] = changed
}

// remove takes the first item for which before is false out.
func (s *sorted[T]) remove(before func(T) bool) {
	leaf, i := s.find(before)
	s.n--
	old := s.leaves[leaf]
	s.leaves = slices.Clone(s.leaves)
	if len(old) == 1 {
		s.leaves = slices.Delete(s.leaves, leaf, leaf+1)
		return
	}
	s.leaves[leaf] = slices.Concat(old[:i], old[i+1:])
}
