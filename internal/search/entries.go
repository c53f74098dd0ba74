package search

import "slices"

const chunkLen = 256

// entries maps note ids to entries under copy-on-write.
type entries [][]Entry

func (e entries) get(id uint32) Entry {
	if i := int(id / chunkLen); i < len(e) && e[i] != nil {
		return e[i][id%chunkLen]
	}
	return Entry{}
}

// set returns e with the given entries; e itself stays as it is.
func (e entries) set(files map[uint32]Entry) entries {
	next := slices.Clone(e)
	own := make(map[int]bool)
	for id, f := range files {
		i := int(id / chunkLen)
		for i >= len(next) {
			next = append(next, nil)
		}
		if !own[i] {
			chunk := make([]Entry, chunkLen)
			copy(chunk, next[i])
			next[i], own[i] = chunk, true
		}
		next[i][id%chunkLen] = f
	}
	return next
}
