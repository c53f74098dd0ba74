package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"stratum"
	"stratum/internal/fulltext"
	"stratum/internal/graph"
)

// The snapshot file: magic, version, then length and CRC-32C of each of two
// parts, then the parts: what is kept of the notes, and their full text. The
// version changes with whatever the parts' bytes or the meaning of the index
// depend on: tokens, block texts, link resolution inputs.
const (
	magic       = "stratum search index\n"
	fileVersion = 2
	headerLen   = len(magic) + 4 + 2*(8+4)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrFile says that a snapshot file cannot be used: it is damaged, or of
// another version. The index must be built from the notes.
var ErrFile = errors.New("snapshot file cannot be used")

// Save writes the snapshot as a file that [Load] reads, and returns the file's
// [Sum].
func (s *Snapshot) Save(w io.Writer) (sum uint64, err error) {
	notes := s.appendNotes(nil)
	// Room for nearly all of it at once: growing would hold it twice.
	text, err := s.text.AppendBinary(make([]byte, 0, s.text.Bytes()*9/8))
	if err != nil {
		return 0, fmt.Errorf("encode the full text: %w", err)
	}
	h := header{notes: partOf(notes), text: partOf(text)}
	for _, b := range [][]byte{h.bytes(), notes, text} {
		if _, err := w.Write(b); err != nil {
			return 0, fmt.Errorf("write snapshot: %w", err)
		}
	}
	return h.id(), nil
}

func (s *Snapshot) appendNotes(b []byte) []byte {
	b = binary.AppendVarint(b, unixNano(s.IndexedAt))
	b = binary.AppendUvarint(b, uint64(s.graph.Len()))
	for id := range s.graph.All() {
		e := s.entries.get(id)
		b = binary.AppendUvarint(b, uint64(id))
		b = binary.AppendVarint(b, e.Stamp.Size)
		b = binary.AppendVarint(b, e.Stamp.Modified)
		b = binary.AppendUvarint(b, e.Stamp.Inode)
		b = append(b, e.Hash[:]...)
		b = append(b, flag(e.Settled))
	}
	return graph.AppendNotes(b, s.graph)
}

// Sum returns what tells the file r apart from other snapshot files: its
// checksums and length, never 0. It reads no more than the header. The error
// is [ErrFile] when it is no snapshot file of this version.
func Sum(r io.Reader) (uint64, error) {
	h, err := readHeader(r)
	if err != nil {
		return 0, err
	}
	return h.id(), nil
}

// header is what stands before the parts.
type header struct{ notes, text part }

// part is what the header says of a part.
type part struct {
	length uint64
	sum    uint32
}

func partOf(b []byte) part {
	return part{length: uint64(len(b)), sum: crc32.Checksum(b, castagnoli)}
}

// id tells files apart: lengths are in it, so it is never 0.
func (h header) id() uint64 {
	return uint64(h.notes.sum^h.text.sum)<<32 | (h.notes.length+h.text.length)&math.MaxUint32
}

func (h header) bytes() []byte {
	b := append(make([]byte, 0, headerLen), magic...)
	b = binary.LittleEndian.AppendUint32(b, fileVersion)
	for _, p := range []part{h.notes, h.text} {
		b = binary.LittleEndian.AppendUint64(b, p.length)
		b = binary.LittleEndian.AppendUint32(b, p.sum)
	}
	return b
}

func readHeader(r io.Reader) (h header, err error) {
	b := make([]byte, headerLen)
	if _, err := io.ReadFull(r, b); err != nil {
		return header{}, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if string(b[:len(magic)]) != magic {
		return header{}, fmt.Errorf("%w: no snapshot", ErrFile)
	}
	b = b[len(magic):]
	if v := binary.LittleEndian.Uint32(b); v != fileVersion {
		return header{}, fmt.Errorf("%w: version %d, not %d", ErrFile, v, fileVersion)
	}
	b = b[4:]
	for _, p := range []*part{&h.notes, &h.text} {
		p.length, p.sum = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])
		b = b[12:]
	}
	return h, nil
}

// read reads the part and checks it.
func (p part) read(r io.Reader) ([]byte, error) {
	b := make([]byte, p.length)
	huge(b)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if crc32.Checksum(b, castagnoli) != p.sum {
		return nil, fmt.Errorf("%w: wrong checksum", ErrFile)
	}
	return b, nil
}

// Load reads a snapshot file of size bytes and returns its [Sum] too. The
// error is [ErrFile] when the index must be built anew.
func Load(r io.Reader, size int64) (*Snapshot, uint64, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, 0, err
	}
	if rest := uint64(size) - uint64(headerLen); h.notes.length > rest || h.text.length != rest-h.notes.length {
		return nil, 0, fmt.Errorf("%w: its length is wrong", ErrFile)
	}
	notes, err := h.notes.read(r)
	if err != nil {
		return nil, 0, err
	}
	// The graph is built from the first part while the second is read.
	var s *Snapshot
	var g errgroup.Group
	g.Go(func() (err error) {
		s, err = decodeNotes(notes)
		return err
	})
	text, err := loadText(r, h.text)
	if err := errors.Join(g.Wait(), err); err != nil {
		return nil, 0, err
	}
	if text.Notes() != s.graph.Len() {
		return nil, 0, fmt.Errorf("%w: its parts do not fit", ErrFile)
	}
	s.text = text
	return s, h.id(), nil
}

func loadText(r io.Reader, p part) (*fulltext.Index, error) {
	b, err := p.read(r)
	if err != nil {
		return nil, err
	}
	text, err := fulltext.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return text, nil
}

// decodeNotes returns a snapshot without full text.
func decodeNotes(b []byte) (*Snapshot, error) {
	r := reader{b: b}
	at := r.varint()
	files := make(map[uint32]Entry)
	for range r.uvarint() {
		id := uint32(r.uvarint())
		e := Entry{Stamp: stratum.Stamp{Size: r.varint(), Modified: r.varint(), Inode: r.uvarint()}}
		copy(e.Hash[:], r.bytes(len(e.Hash)))
		e.Settled = r.bytes(1)[0] != 0
		if r.bad {
			return nil, fmt.Errorf("%w: it ends early", ErrFile)
		}
		files[id] = e
	}
	names, err := graph.DecodeNotes(r.b)
	if err != nil || r.bad {
		return nil, fmt.Errorf("%w: %w", ErrFile, errors.Join(err, errNotes))
	}
	return assemble(at, files, names)
}

var errNotes = errors.New("its notes do not fit")

func assemble(at int64, files map[uint32]Entry, names []graph.Note) (*Snapshot, error) {
	if len(names) != len(files) {
		return nil, fmt.Errorf("%w: %w", ErrFile, errNotes)
	}
	s := &Snapshot{entries: entries(nil).set(files)}
	if at != 0 {
		s.IndexedAt = time.Unix(0, at).UTC()
	}
	for _, n := range names {
		if _, ok := files[n.ID]; !ok {
			return nil, fmt.Errorf("%w: %w", ErrFile, errNotes)
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
