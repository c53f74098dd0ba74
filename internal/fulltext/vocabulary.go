package fulltext

import "hash/maphash"

// A vocabulary numbers words. It is a hash table of its own because nothing
// else takes as much of the time of building an index.
type vocabulary struct {
	seed  maphash.Seed
	table []slot // its length is a power of two
	words []string
}

// slot is a word's number plus 1, or 0, and some bits of its hash.
type slot struct{ number, hash uint32 }

func newVocabulary() *vocabulary {
	return &vocabulary{seed: maphash.MakeSeed(), table: make([]slot, 1<<10)}
}

// number returns the number of word, a new one if need be.
func (v *vocabulary) number(word []byte) uint32 {
	h := maphash.Bytes(v.seed, word)
	mask := uint64(len(v.table) - 1)
	i := h & mask
	for ; v.table[i].number != 0; i = (i + 1) & mask {
		if s := v.table[i]; s.hash == uint32(h>>32) && v.words[s.number-1] == string(word) {
			return s.number - 1
		}
	}
	v.words = append(v.words, string(word))
	n := uint32(len(v.words))
	v.table[i] = slot{n, uint32(h >> 32)}
	if len(v.words) > len(v.table)/2 {
		v.grow()
	}
	return n - 1
}

func (v *vocabulary) grow() {
	v.table = make([]slot, 4*len(v.table))
	mask := uint64(len(v.table) - 1)
	for n, word := range v.words {
		h := maphash.String(v.seed, word)
		i := h & mask
		for v.table[i].number != 0 {
			i = (i + 1) & mask
		}
		v.table[i] = slot{uint32(n + 1), uint32(h >> 32)}
	}
}
