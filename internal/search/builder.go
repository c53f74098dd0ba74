package search

import (
	"slices"
	"strings"
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
	detach(&note)
	text := textOf(0, d)

	b.mu.Lock()
	defer b.mu.Unlock()
	id := uint32(len(b.names))
	note.ID, text.ID = id, id
	b.names = append(b.names, note)
	b.files[id] = d.Entry
	b.text.Add(text)
}

// Snapshot returns the snapshot of what was added. The builder is spent: what
// one half was made from is let go before the other half is made.
func (b *Builder) Snapshot() *Snapshot {
	s := &Snapshot{entries: entries(nil).set(b.files), top: uint32(len(b.names))}
	names, text := b.names, b.text
	*b = Builder{}
	s.graph = graph.Build(names)
	s.text = text.Index()
	return s
}

// detach gives the note memory of its own: names and targets are parts of the
// note's text, and would keep all texts of the vault until the graph is built.
func detach(n *graph.Note) {
	parts := []*string{&n.Title}
	n.Aliases = slices.Clone(n.Aliases)
	for _, list := range [][]string{n.Aliases, n.Tags} {
		for i := range list {
			parts = append(parts, &list[i])
		}
	}
	for i := range n.Links {
		parts = append(parts, &n.Links[i].Target, &n.Links[i].Display)
	}
	var all strings.Builder
	for _, s := range parts {
		all.WriteString(*s)
	}
	rest := all.String()
	for _, s := range parts {
		n := len(*s)
		*s, rest = rest[:n], rest[n:]
	}
}
