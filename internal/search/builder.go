package search

import (
	"sync"

	"stratum/internal/fulltext"
	"stratum/internal/graph"
)

// Builder makes a snapshot of many notes at once. Its Add may be called from
// several goroutines.
type Builder struct {
	mu    sync.Mutex
	text  *fulltext.Builder
	names []graph.Note
	files map[uint32]Entry
}

// NewBuilder returns a builder without notes.
func NewBuilder() *Builder {
	return &Builder{text: fulltext.NewBuilder(), files: make(map[uint32]Entry)}
}

// Add takes one note. Each path may be added once.
func (b *Builder) Add(d Doc) {
	note := graph.NoteOf(0, d.Path, d.Note)
	text := textOf(0, d)

	b.mu.Lock()
	defer b.mu.Unlock()
	id := uint32(len(b.names))
	note.ID, text.ID = id, id
	b.names = append(b.names, note)
	b.files[id] = d.Entry
	b.text.Add(text)
}

// Snapshot returns the snapshot of what was added. The builder is spent.
func (b *Builder) Snapshot() *Snapshot {
	return &Snapshot{
		text:    b.text.Index(),
		graph:   graph.Build(b.names),
		entries: entries(nil).set(b.files),
		top:     uint32(len(b.names)),
	}
}
