package search

import (
	"cmp"
	"iter"
	"slices"

	"stratum"
	"stratum/internal/fulltext"
	"stratum/internal/graph"
)

// NoBlock is the block of a hit or a backlink that stands in no block: a note
// without blocks, or a link in the frontmatter.
const NoBlock = -1

// Known is what the snapshot says of a note without reading it.
type Known struct {
	Entry
	Title  string
	Blocks int
}

// Hit is one match: a block of a note, or NoBlock.
type Hit struct {
	Path  stratum.Path
	Block int
	Score float64
}

// Result is the answer to a query. Total is exact; Hits are the part asked for.
type Result struct {
	Hits    []Hit
	Total   int
	Relaxed bool
}

// Len returns the number of notes.
func (s *Snapshot) Len() int { return s.graph.Len() }

// Blocks returns the number of blocks.
func (s *Snapshot) Blocks() int { return s.text.Blocks() }

// Bytes estimates the memory that the snapshot takes.
func (s *Snapshot) Bytes() int { return int(s.text.Bytes()) + s.graph.Bytes() }

// Lookup returns what is known of the note at p.
func (s *Snapshot) Lookup(p stratum.Path) (Known, bool) {
	id, ok := s.graph.Lookup(p)
	if !ok {
		return Known{}, false
	}
	v, _ := s.graph.Note(id)
	return Known{Entry: s.entries.get(id), Title: v.Title(), Blocks: v.Blocks()}, true
}

// All yields every note, in no particular order.
func (s *Snapshot) All() iter.Seq2[stratum.Path, Entry] {
	return func(yield func(stratum.Path, Entry) bool) {
		for id := range s.graph.All() {
			v, _ := s.graph.Note(id)
			if !yield(v.Path(), s.entries.get(id)) {
				return
			}
		}
	}
}

// Search runs a full-text query (decision 6.4).
func (s *Snapshot) Search(query string, offset, limit int) Result {
	r := s.text.Search(query, fulltext.Options{Offset: offset, Limit: limit, Order: s.byPath})
	out := Result{Hits: make([]Hit, len(r.Hits)), Total: r.Total, Relaxed: r.Relaxed}
	for i, h := range r.Hits {
		out.Hits[i] = Hit{Path: s.path(h.Note), Block: h.Block, Score: h.Score}
	}
	return out
}

// ByTag finds the blocks of a tag and its children, by path and position
// (decision 6.3).
func (s *Snapshot) ByTag(tag string, limit int) Result {
	refs := s.graph.TagHits(tag)
	out := Result{Total: len(refs)}
	for _, r := range refs[:min(limit, len(refs))] {
		out.Hits = append(out.Hits, Hit{Path: s.path(r.Note), Block: int(r.Block), Score: 1})
	}
	return out
}

// Inbound returns the places that link to the note at p, one per source
// block, by path and position; the note itself excluded (decision 6.5).
func (s *Snapshot) Inbound(p stratum.Path) []Hit {
	id, ok := s.graph.Lookup(p)
	if !ok {
		return nil
	}
	refs := s.graph.Inbound(id)
	out := make([]Hit, len(refs))
	for i, r := range refs {
		out[i] = Hit{Path: s.path(r.Note), Block: int(r.Block)}
	}
	return out
}

// Mentionable returns the blocks that may mention one of the names of the
// note at p without linking to it, by path and position, and those names. A
// block's text must still be looked at: the index does not know code.
func (s *Snapshot) Mentionable(p stratum.Path) (places []Hit, names []string) {
	id, ok := s.graph.Lookup(p)
	if !ok {
		return nil, nil
	}
	v, _ := s.graph.Note(id)
	names = v.Names()
	seen := make(map[graph.Ref]bool)
	for _, name := range names {
		for note, block := range s.text.Phrase(name) {
			r := graph.Ref{Note: note, Block: int32(block)}
			if note == id || seen[r] {
				continue
			}
			seen[r] = true
			if !s.graph.LinksTo(note, r.Block, id) {
				places = append(places, Hit{Path: s.path(note), Block: block})
			}
		}
	}
	slices.SortFunc(places, func(a, b Hit) int {
		return cmp.Or(a.Path.Compare(b.Path), cmp.Compare(a.Block, b.Block))
	})
	return places, names
}

// Resolve finds the note that a wiki-link's target names when it stands in
// the note at from; the zero Path stands for the vault's root (decision 6.2).
func (s *Snapshot) Resolve(from stratum.Path, target string) (stratum.Path, bool) {
	id, ok := s.graph.Resolve(from, target)
	if !ok {
		return stratum.Path{}, false
	}
	return s.path(id), true
}

// Graph returns the notes within depth hops of the one at p, or all notes for
// the zero Path, without a vault path (decision 6.6). It reports whether there
// is such a note.
func (s *Snapshot) Graph(p stratum.Path, depth int) (stratum.GraphData, bool) {
	if p.IsZero() {
		return s.graph.Whole(), true
	}
	id, ok := s.graph.Lookup(p)
	if !ok {
		return stratum.GraphData{}, false
	}
	return s.graph.Neighbourhood(id, depth), true
}

// Complete suggests completions (decision 6.7).
func (s *Snapshot) Complete(kind, query string, limit int) []stratum.Completion {
	return s.graph.Complete(kind, query, limit)
}

func (s *Snapshot) path(id uint32) stratum.Path {
	v, _ := s.graph.Note(id)
	return v.Path()
}

func (s *Snapshot) byPath(a, b uint32) int { return s.path(a).Compare(s.path(b)) }

// Matcher returns the function that finds the first match of a query in a
// text, in bytes.
func Matcher(query string) func(s string) (start, end int, ok bool) {
	return fulltext.ParseQuery(query).Find
}
