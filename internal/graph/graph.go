// Package graph knows how notes hang together: their names, what links
// resolve to, backlinks, tags, neighbourhoods and completion. A [Graph] is an
// immutable value under copy-on-write: [Graph.With] makes the next one at a
// cost that follows the change, and readers of the old one never notice. It is
// a function of its notes alone, whatever the order in which they came.
package graph

import (
	"cmp"
	"iter"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"stratum"
	"stratum/internal/text"
)

// Graph is the notes of a vault and all that follows from their names, links
// and tags. It is safe for concurrent readers and never changes.
type Graph struct {
	slots   vec[slot]       // by NoteID
	order   sorted[ordered] // by path
	names   multimap        // loose key of a name: NoteID
	targets vec[target]     // by target id; 0 is the target of local links
	wants   multimap        // loose key of what a target may match: target id
	tags    sorted[*tag]    // by key
	free    *freed          // target ids to use again
	limit   uint32          // target ids below have been used
	blocks  int
}

// slot is a note beside the targets that resolve to it.
type slot struct {
	note *note
	in   []uint32 // ids of targets, ascending
	uses int32    // blocks of other notes that link here
}

// note is a [Note] as kept. It is shared by graphs and never changed, but for
// what is worked out on first use.
type note struct {
	path    stratum.Path
	title   string
	aliases []string
	tags    []string
	tagAt   []TagAt
	links   []link
	blocks  int
	labels  atomic.Pointer[labels] // for completion
}

type link struct {
	target uint32 // id of the target; 0 for a local link
	block  int32
	shown  *string // shown text; nil where there is none
}

// target is one text that links name, with the note it names at present.
// Relative targets of different folders are different targets.
type target struct {
	name    *targetName // nil: no such target
	sources []NoteID    // the notes that link to it, ascending
	to      NoteID      // where found
	found   bool
}

type targetName struct {
	page   string
	dir    string // the linking note's folder where page is relative, else ""
	labels atomic.Pointer[labels]
}

type ordered struct {
	path stratum.Path
	id   NoteID
}

// freed is a list of target ids that shares its tail with older graphs'.
type freed struct {
	id   uint32
	next *freed
}

func (o ordered) before(p stratum.Path, id NoteID) bool {
	return cmp.Or(o.path.Compare(p), cmp.Compare(o.id, id)) < 0
}

// target returns the target of this name; its name is nil where there is
// none. key is one of its places; dir is "" unless page is relative.
func (g *Graph) target(page, dir string, key uint32) (uint32, target) {
	for _, x := range g.wants.bucket(key) {
		if x.hash != key {
			continue
		}
		if t := g.targets.get(x.id); t.name.page == page && t.name.dir == dir {
			return x.id, t
		}
	}
	return 0, target{}
}

// Len returns the number of notes.
func (g *Graph) Len() int { return g.order.n }

// Blocks returns the number of blocks of all notes.
func (g *Graph) Blocks() int { return g.blocks }

// Lookup returns the note at p.
func (g *Graph) Lookup(p stratum.Path) (NoteID, bool) {
	o, ok := g.order.first(func(o ordered) bool { return o.before(p, 0) })
	return o.id, ok && o.path == p
}

// All yields all notes by path.
func (g *Graph) All() iter.Seq[NoteID] {
	return func(yield func(NoteID) bool) {
		for o := range g.order.all() {
			if !yield(o.id) {
				return
			}
		}
	}
}

// After returns up to limit notes whose path is greater than p, by path, and
// whether more follow. The zero p starts at the beginning.
func (g *Graph) After(p stratum.Path, limit int) (ids []NoteID, more bool) {
	for o := range g.order.from(func(o ordered) bool { return o.path.Compare(p) <= 0 }) {
		if len(ids) >= limit {
			return ids, true
		}
		ids = append(ids, o.id)
	}
	return ids, false
}

// View is one note of a [Graph]. Its slices must not be changed.
type View struct {
	id   NoteID
	note *note
}

// Note returns the note of this id.
func (g *Graph) Note(id NoteID) (View, bool) {
	n := g.slots.get(id).note
	return View{id, n}, n != nil
}

// ID returns the note's id.
func (v View) ID() NoteID { return v.id }

// Path returns the note's path.
func (v View) Path() stratum.Path { return v.note.path }

// Title returns the title to show (decision 5.5).
func (v View) Title() string { return v.note.path.Title(v.note.title) }

// Aliases returns the frontmatter's aliases.
func (v View) Aliases() []string { return v.note.aliases }

// Tags returns all tags, each once; never nil.
func (v View) Tags() []string {
	if v.note.tags == nil {
		return []string{}
	}
	return v.note.tags
}

// Blocks returns the number of blocks.
func (v View) Blocks() int { return v.note.blocks }

// Names returns what counts as a mention of the note: its title, its stem and
// its aliases, where long enough (decision 6.5), each once without regard to
// case and accents.
func (v View) Names() []string {
	var names, folds []string
	for _, name := range append([]string{v.Title(), v.Path().Stem()}, v.note.aliases...) {
		fold := text.Fold(name)
		if utf8.RuneCountInString(name) < stratum.MentionMin || slices.Contains(folds, fold) {
			continue
		}
		names, folds = append(names, name), append(folds, fold)
	}
	return names
}
