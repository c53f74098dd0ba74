package graph

// An edit is the right to change pages in place: the pages that it made
// itself. Pages of other edits are shared with older graphs and are copied
// before the first change.
type edit struct{ _ byte }

const (
	chunkBits = 6
	midBits   = 8
	chunkLen  = 1 << chunkBits
	midLen    = 1 << midBits
)

// vec is a sparse array of T under copy-on-write; a missing item is the zero T.
type vec[T any] struct{ root []*vecMid[T] }

type vecMid[T any] struct {
	owner  *edit
	chunks [midLen]*vecChunk[T]
}

type vecChunk[T any] struct {
	owner *edit
	items [chunkLen]T
}

// get returns the item at i.
func (v *vec[T]) get(i uint32) (item T) {
	hi := int(i >> (chunkBits + midBits))
	if hi >= len(v.root) || v.root[hi] == nil {
		return item
	}
	c := v.root[hi].chunks[i>>chunkBits%midLen]
	if c == nil {
		return item
	}
	return c.items[i%chunkLen]
}

// own returns the item at i for changing by e. The root must be e's own:
// see fork.
func (v *vec[T]) own(e *edit, i uint32) *T {
	hi := int(i >> (chunkBits + midBits))
	for hi >= len(v.root) {
		v.root = append(v.root, nil)
	}
	mid := v.root[hi]
	if mid == nil {
		mid = &vecMid[T]{owner: e}
		v.root[hi] = mid
	} else if mid.owner != e {
		mid = &vecMid[T]{e, mid.chunks}
		v.root[hi] = mid
	}
	at := &mid.chunks[i>>chunkBits%midLen]
	if *at == nil {
		*at = &vecChunk[T]{owner: e}
	} else if (*at).owner != e {
		*at = &vecChunk[T]{e, (*at).items}
	}
	return &(*at).items[i%chunkLen]
}

// fork returns a copy whose root an edit may change.
func (v *vec[T]) fork() vec[T] {
	return vec[T]{append(make([]*vecMid[T], 0, len(v.root)), v.root...)}
}

// each calls f with every item of every page there is, in ascending order.
func (v *vec[T]) each(f func(i uint32, item *T)) {
	for hi, mid := range v.root {
		if mid == nil {
			continue
		}
		for m, c := range mid.chunks {
			if c == nil {
				continue
			}
			base := uint32(hi)<<(chunkBits+midBits) | uint32(m)<<chunkBits
			for i := range c.items {
				f(base|uint32(i), &c.items[i])
			}
		}
	}
}

// pages returns the bytes that the pages take.
func (v *vec[T]) pages(item int) int {
	n := 0
	for _, mid := range v.root {
		if mid == nil {
			continue
		}
		n += 8 * (midLen + 2)
		for _, c := range mid.chunks {
			if c != nil {
				n += item*chunkLen + 8
			}
		}
	}
	return n
}
