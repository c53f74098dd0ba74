// Package search is the derived index of a vault: full text, names, links,
// tags and the graph of all its notes as one immutable snapshot behind one
// pointer, and the file that a start begins from. It does no I/O.
//
// The index is a function of the notes alone: whatever history of changes led
// to a snapshot, it answers as one built from the same notes at once
// (decision 8.7).
package search

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"stratum"
	"stratum/internal/fulltext"
	"stratum/internal/graph"
)

// Doc is one note as the index takes it.
type Doc struct {
	Path  stratum.Path
	Note  *stratum.Note
	Text  string // the source that Note was parsed from
	Entry Entry
}

// Entry is what the index remembers of a note's file beside its text.
type Entry struct {
	Stamp stratum.Stamp
	Hash  stratum.Hash
	// Settled reports that the file was old enough when it was read that an
	// edit since would have changed its mtime. An unsettled note is read
	// again by the next scan although its stamp is the same.
	Settled bool
}

// Index holds the live snapshot. Readers take it with [Index.Snapshot] and
// never wait; one writer at a time stages the next and publishes it.
type Index struct {
	live atomic.Pointer[Snapshot]

	writer  sync.Mutex // held from Stage to Publish or Discard; guards compact
	compact *compaction
}

// New returns an index without notes.
func New() *Index {
	x := &Index{}
	x.live.Store(NewBuilder().Snapshot())
	return x
}

// Snapshot returns the live snapshot.
func (x *Index) Snapshot() *Snapshot { return x.live.Load() }

// Replace publishes s in place of the live snapshot.
func (x *Index) Replace(s *Snapshot) {
	x.writer.Lock()
	defer x.writer.Unlock()
	x.compact = nil // of a text that is gone
	x.live.Store(s)
}

// Staged is the next snapshot before it is published. Its maker holds the
// writer's lock until it calls Publish or Discard.
type Staged struct {
	*Snapshot
	// Relinked are the notes, other than those changed or removed, with a
	// link that now leads elsewhere.
	Relinked []stratum.Path

	x    *Index
	text textChange
	done bool
}

// textChange is what a stage did to the full text.
type textChange struct {
	changed []fulltext.Note
	removed []uint32
}

// Stage makes the snapshot that has changed in place of their older versions
// and removed no longer.
func (x *Index) Stage(changed []Doc, removed []stratum.Path) *Staged {
	x.writer.Lock()
	s := &Staged{x: x}
	defer func() {
		if s.Snapshot == nil { // a panic: the lock must not outlive it
			x.writer.Unlock()
		}
	}()
	s.Snapshot, s.text, s.Relinked = x.live.Load().with(changed, removed)
	return s
}

// Publish makes the staged snapshot the live one.
func (s *Staged) Publish() {
	s.x.live.Store(s.Snapshot)
	s.x.compactAfter(s.text)
	s.Discard()
}

// Discard leaves the live snapshot as it is. After Publish it does nothing, so
// that it can be deferred.
func (s *Staged) Discard() {
	if !s.done {
		s.done = true
		s.x.writer.Unlock()
	}
}

// Touch records that the file of the note at p has a new stamp but the same
// bytes.
func (x *Index) Touch(p stratum.Path, e Entry) {
	x.writer.Lock()
	defer x.writer.Unlock()
	s := *x.live.Load()
	id, ok := s.graph.Lookup(p)
	if !ok {
		return
	}
	s.entries = s.entries.set(map[uint32]Entry{id: e})
	x.live.Store(&s)
}

// Stamp records when the index was last known to be level with the vault.
func (x *Index) Stamp(at time.Time) {
	x.writer.Lock()
	defer x.writer.Unlock()
	s := *x.live.Load()
	s.IndexedAt = at
	x.live.Store(&s)
}

// Snapshot is the index at one moment. It never changes.
type Snapshot struct {
	// IndexedAt is when the index was last level with the vault; zero when
	// never.
	IndexedAt time.Time

	text    *fulltext.Index
	graph   *graph.Graph
	entries entries
	top     uint32 // ids below it are in use or free
	free    []uint32
}

func (s *Snapshot) with(changed []Doc, removed []stratum.Path) (*Snapshot, textChange, []stratum.Path) {
	next := *s
	var gone []uint32
	for _, p := range removed {
		if id, ok := s.graph.Lookup(p); ok {
			gone = append(gone, id)
		}
	}
	texts := make([]fulltext.Note, len(changed))
	names := make([]graph.Note, len(changed))
	files := make(map[uint32]Entry, len(changed))
	next.free = slices.Clone(s.free)
	for i, d := range changed {
		id, ok := s.graph.Lookup(d.Path)
		if !ok {
			id = next.newID()
		}
		texts[i] = textOf(id, d)
		names[i] = graph.NoteOf(id, d.Path, d.Note)
		files[id] = d.Entry
	}
	var relinked []uint32
	next.graph, relinked = s.graph.With(names, gone)
	next.text = s.text.With(texts, gone)
	next.entries = s.entries.set(files)
	next.free = append(next.free, gone...)

	paths := make([]stratum.Path, 0, len(relinked))
	for _, id := range relinked {
		if v, ok := next.graph.Note(id); ok {
			paths = append(paths, v.Path())
		}
	}
	return &next, textChange{texts, gone}, paths
}

func (s *Snapshot) newID() uint32 {
	if n := len(s.free); n > 0 {
		id := s.free[n-1]
		s.free = s.free[:n-1]
		return id
	}
	s.top++
	return s.top - 1
}

// textOf returns what full-text search sees of a note: its title and aliases,
// and of each block everything that stands in the file but the line of its id.
func textOf(id uint32, d Doc) fulltext.Note {
	n := fulltext.Note{
		ID:     id,
		Titles: append([]string{d.Path.Title(d.Note.Title)}, d.Note.Aliases...),
		Blocks: make([]fulltext.Block, len(d.Note.Blocks)),
	}
	for i := range d.Note.Blocks {
		b := &d.Note.Blocks[i]
		n.Blocks[i] = fulltext.Block{Text: blockText(d.Text, b), Heading: b.HeadingLevel > 0}
	}
	return n
}

func blockText(src string, b *stratum.Block) string {
	s := src[b.Span.Start:b.Span.End]
	if b.ID == "" {
		return s
	}
	var kept strings.Builder
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), ".id:") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
