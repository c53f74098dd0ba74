package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

// TestARotBeyondTheChecksum: bytes with a good checksum that still make no
// snapshot, as a faulty writer could leave them, are refused too.
func TestARotBeyondTheChecksum(t *testing.T) {
	var file bytes.Buffer
	if _, err := New().Snapshot().Save(&file); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()[headerLen:]
	entry := append([]byte{0, 1, 0}, make([]byte, 3+16+1)...) // one note, which the other parts do not have
	bodies := map[string][]byte{"an entry too many": append(entry, good[2:]...)}
	for n := range len(good) {
		bodies["cut"+string(rune('a'+n))] = good[:n]
	}
	for name, body := range bodies {
		head := append([]byte(nil), magic...)
		head = binary.LittleEndian.AppendUint32(head, fileVersion)
		head = binary.LittleEndian.AppendUint64(head, uint64(len(body)))
		head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(body, castagnoli))
		if _, err := Load(append(head, body...)); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
