package graph

import "slices"

const (
	pageBits = 6
	pageLen  = 1 << pageBits
	// perBucket is the mean number of entries at which the table grows.
	perBucket = 12
)

// multimap finds ids by the hash of a key, under copy-on-write. Different
// keys may share a hash: who asks compares the key itself. An (hash, id) pair
// is held once.
type multimap struct {
	bits  uint // the table has 1<<bits pages
	count int
	root  []*bucketPage
}

type bucketPage struct {
	owner   *edit
	mine    uint64 // bit i: the owner may change buckets[i] in place
	buckets [pageLen][]hashed
}

type hashed struct{ hash, id uint32 }

// newMultimap returns a table with room for about n entries.
func newMultimap(n int) multimap {
	m := multimap{}
	for perBucket*pageLen<<m.bits < n {
		m.bits++
	}
	m.root = make([]*bucketPage, 1<<m.bits)
	return m
}

func (m *multimap) fork() multimap {
	c := *m
	c.root = slices.Clone(m.root)
	return c
}

// bucket returns the entries that stand beside those of hash.
func (m *multimap) bucket(hash uint32) []hashed {
	p := m.root[hash>>(32-m.bits)]
	if p == nil {
		return nil
	}
	return p.buckets[hash>>(32-m.bits-pageBits)%pageLen]
}

// own returns the bucket of hash for changing by e.
func (m *multimap) own(e *edit, hash uint32) *[]hashed {
	at := &m.root[hash>>(32-m.bits)]
	switch {
	case *at == nil:
		*at = &bucketPage{owner: e}
	case (*at).owner != e:
		*at = &bucketPage{owner: e, buckets: (*at).buckets}
	}
	i := hash >> (32 - m.bits - pageBits) % pageLen
	if (*at).mine&(1<<i) == 0 {
		(*at).mine |= 1 << i
		old := (*at).buckets[i]
		(*at).buckets[i] = append(make([]hashed, 0, len(old)+2), old...)
	}
	return &(*at).buckets[i]
}

// add inserts an entry that is not there yet.
func (m *multimap) add(e *edit, hash, id uint32) {
	if m.count >= 2*perBucket*pageLen<<m.bits {
		m.grow(e)
	}
	b := m.own(e, hash)
	*b = append(*b, hashed{hash, id})
	m.count++
}

// remove takes an entry out.
func (m *multimap) remove(e *edit, hash, id uint32) {
	b := m.own(e, hash)
	i := slices.Index(*b, hashed{hash, id})
	if i < 0 {
		return
	}
	last := len(*b) - 1
	(*b)[i] = (*b)[last]
	*b = (*b)[:last]
	m.count--
}

func (m *multimap) grow(e *edit) {
	if m.bits+2+pageBits > 32 {
		return
	}
	bigger := multimap{bits: m.bits + 2, root: make([]*bucketPage, 4<<m.bits)}
	for _, p := range m.root {
		if p == nil {
			continue
		}
		for _, b := range p.buckets {
			for _, x := range b {
				to := bigger.own(e, x.hash)
				*to = append(*to, x)
			}
		}
	}
	bigger.count = m.count
	*m = bigger
}

// bytes returns what the table takes.
func (m *multimap) bytes() int {
	n := 8 * len(m.root)
	for _, p := range m.root {
		if p == nil {
			continue
		}
		n += 16 + 24*pageLen
		for _, b := range p.buckets {
			n += 8 * cap(b)
		}
	}
	return n
}
