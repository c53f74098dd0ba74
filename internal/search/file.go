package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"

	"stratum"
	"stratum/internal/fulltext"
	"stratum/internal/graph"
)

// The snapshot file: magic, version, then the body's length and CRC-32C, then
// the body. The version changes with whatever the body's bytes or the meaning
// of the index depend on: tokens, block texts, link resolution inputs.
const (
	magic       = "stratum search index\n"
	fileVersion = 1
	headerLen   = len(magic) + 4 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrFile says that a snapshot file cannot be used: it is damaged, or of
// another version. The index must be built from the notes.
var ErrFile = errors.New("snapshot file cannot be used")

// Save writes the snapshot as a file that [Load] reads, and returns the file's
// [Sum].
func (s *Snapshot) Save(w io.Writer) (sum uint64, err error) {
	// Room for nearly all of it at once: growing would hold it twice.
	body := make([]byte, 0, s.Bytes()*3/4)
	body = binary.AppendVarint(body, unixNano(s.IndexedAt))
	body = binary.AppendUvarint(body, uint64(s.graph.Len()))
	for id := range s.graph.All() {
		e := s.entries.get(id)
		body = binary.AppendUvarint(body, uint64(id))
		body = binary.AppendVarint(body, e.Stamp.Size)
		body = binary.AppendVarint(body, e.Stamp.Modified)
		body = binary.AppendUvarint(body, e.Stamp.Inode)
		body = append(body, e.Hash[:]...)
		body = append(body, flag(e.Settled))
	}
	body, err = section(body, func(b []byte) ([]byte, error) { return graph.AppendNotes(b, s.graph), nil })
	if err != nil {
		return 0, err
	}
	body, err = section(body, s.text.AppendBinary)
	if err != nil {
		return 0, fmt.Errorf("encode the full text: %w", err)
	}
	h := header{length: uint64(len(body)), sum: crc32.Checksum(body, castagnoli)}
	head := append(make([]byte, 0, headerLen), magic...)
	head = binary.LittleEndian.AppendUint32(head, fileVersion)
	head = binary.LittleEndian.AppendUint64(head, h.length)
	head = binary.LittleEndian.AppendUint32(head, h.sum)
	for _, part := range [][]byte{head, body} {
		if _, err := w.Write(part); err != nil {
			return 0, fmt.Errorf("write snapshot: %w", err)
		}
	}
	return h.id(), nil
}

// Sum returns what tells the file r apart from other snapshot files: its
// body's checksum and length, never 0. It reads no more than the header. The error is
// [ErrFile] when it is no snapshot file of this version.
func Sum(r io.Reader) (uint64, error) {
	head := make([]byte, headerLen)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrFile, err)
	}
	h, err := parseHeader(head)
	if err != nil {
		return 0, err
	}
	return h.id(), nil
}

// header is what stands before the body.
type header struct {
	length uint64
	sum    uint32
}

// id tells files apart: their length is in it, so it is never 0.
func (h header) id() uint64 { return uint64(h.sum)<<32 | h.length&math.MaxUint32 }

func parseHeader(file []byte) (header, error) {
	if len(file) < headerLen || string(file[:len(magic)]) != magic {
		return header{}, fmt.Errorf("%w: no snapshot", ErrFile)
	}
	b := file[len(magic):]
	if v := binary.LittleEndian.Uint32(b); v != fileVersion {
		return header{}, fmt.Errorf("%w: version %d, not %d", ErrFile, v, fileVersion)
	}
	return header{length: binary.LittleEndian.Uint64(b[4:]), sum: binary.LittleEndian.Uint32(b[12:])}, nil
}

// section appends what f appends, behind its length in eight bytes.
func section(b []byte, f func([]byte) ([]byte, error)) ([]byte, error) {
	at := len(b)
	b, err := f(append(b, make([]byte, 8)...))
	if err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-8))
	return b, nil
}

// Load reads a snapshot file. The snapshot keeps file, which must not change.
// The error is [ErrFile] when the index must be built anew.
func Load(file []byte) (*Snapshot, error) {
	h, err := parseHeader(file)
	if err != nil {
		return nil, err
	}
	body := file[headerLen:]
	if h.length != uint64(len(body)) {
		return nil, fmt.Errorf("%w: %d bytes, not %d", ErrFile, len(body), h.length)
	}
	if crc32.Checksum(body, castagnoli) != h.sum {
		return nil, fmt.Errorf("%w: wrong checksum", ErrFile)
	}
	return decode(body)
}

func decode(body []byte) (*Snapshot, error) {
	r := reader{b: body}
	at := r.varint()
	files := make(map[uint32]Entry)
	for range r.uvarint() {
		id := uint32(r.uvarint())
		e := Entry{Stamp: stratum.Stamp{Size: r.varint(), Modified: r.varint(), Inode: r.uvarint()}}
		copy(e.Hash[:], r.bytes(len(e.Hash)))
		e.Settled = r.bytes(1)[0] != 0
		if r.bad {
			break
		}
		files[id] = e
	}
	names, nerr := graph.DecodeNotes(r.bytes(int(r.uint64())))
	text, terr := fulltext.Decode(r.bytes(int(r.uint64())))
	if err := errors.Join(nerr, terr); r.bad || err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, errors.Join(err, errBody))
	}
	return assemble(at, files, names, text)
}

var errBody = errors.New("its parts do not fit")

func assemble(at int64, files map[uint32]Entry, names []graph.Note, text *fulltext.Index) (*Snapshot, error) {
	if len(names) != len(files) || text.Notes() != len(names) {
		return nil, fmt.Errorf("%w: %w", ErrFile, errBody)
	}
	s := &Snapshot{text: text, entries: entries(nil).set(files)}
	if at != 0 {
		s.IndexedAt = time.Unix(0, at).UTC()
	}
	for _, n := range names {
		if _, ok := files[n.ID]; !ok {
			return nil, fmt.Errorf("%w: %w", ErrFile, errBody)
		}
		s.top = max(s.top, n.ID+1)
	}
	for id := range s.top {
		if _, ok := files[id]; !ok {
			s.free = append(s.free, id)
		}
	}
	s.graph = graph.Build(names)
	return s, nil
}

func unixNano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// reader takes a body apart; bad is set, and zeros are read, past its end.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad = true
		r.b = nil
		return make([]byte, 16)[:min(max(n, 0), 16)]
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.bytes(8)) }

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}
