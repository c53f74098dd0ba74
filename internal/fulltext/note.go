// Package fulltext is an immutable full-text index of notes in memory:
// compressed postings with positions, ranked by BM25, with phrases, prefixes
// and exact totals (decision 6.4). It does no I/O.
//
// An [Index] is made of segments that never change. [Index.With] shares those
// it can with the old index, so a reader keeps a whole index for as long as it
// likes and never waits.
package fulltext

// NoteID identifies a note to the caller, who gives it out. A note keeps its
// id over its versions; the id of a removed note may be used again.
type NoteID = uint32

// Note is what is indexed of one note.
type Note struct {
	ID     NoteID
	Titles []string // the title, then the aliases
	Blocks []Block  // in document order
}

// Block is one block of a note.
type Block struct {
	Text    string
	Heading bool
}

// Hit is one block that a query matches.
type Hit struct {
	Note  NoteID
	Block int     // index in [Note.Blocks]; -1 for a note that has none
	Score float64 // in (0, 1]
}

// Options says which part of the hits a search returns.
type Options struct {
	Offset, Limit int
	Order         func(a, b NoteID) int // order of notes whose hits have equal scores; nil is by id
}

// Result is the answer of [Index.Search].
type Result struct {
	Hits    []Hit // best first
	Total   int   // all hits, those outside Offset and Limit included
	Relaxed bool  // no block has all words; the hits have some
}
