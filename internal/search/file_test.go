package search

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"testing"
)

// TestARotBeyondTheChecksum: bytes with a good checksum that still make no
// snapshot, as a faulty writer could leave them, are refused too.
func TestARotBeyondTheChecksum(t *testing.T) {
	var file bytes.Buffer
	if _, err := New().Snapshot().Save(&file); err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	notes, text := file.Bytes()[headerLen:headerLen+int(h.notes.length)], file.Bytes()[headerLen+int(h.notes.length):]
	entry := append([]byte{0, 1, 0}, make([]byte, 3+16+1)...) // one note, which the graph does not have
	bad := map[string][2][]byte{"an entry too many": {append(entry, notes[2:]...), text}}
	for n := range len(notes) {
		bad["notes cut at "+strconv.Itoa(n)] = [2][]byte{notes[:n], text}
	}
	for n := range len(text) {
		bad["text cut at "+strconv.Itoa(n)] = [2][]byte{notes, text[:n]}
	}
	for name, parts := range bad {
		h := header{notes: partOf(parts[0]), text: partOf(parts[1])}
		file := slices.Concat(h.bytes(), parts[0], parts[1])
		if _, _, err := Load(bytes.NewReader(file), int64(len(file))); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
