package graph

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"stratum/internal/text"
)

// tag is one tag in all its spellings. It is never changed once made.
type tag struct {
	key       string     // text.FoldCase of any spelling
	notes     []NoteID   // notes that have it, ascending
	spellings []spelling // by text
	labels    atomic.Pointer[labels]
}

type spelling struct {
	text  string
	notes int // notes that spell it so
}

// TagCount is a tag as most notes spell it, and the number of notes that have
// the tag itself.
type TagCount struct {
	Tag   string
	Notes int
}

// display returns the most frequent spelling, of several the first by bytes.
func (t *tag) display() string {
	return slices.MinFunc(t.spellings, func(a, b spelling) int {
		return cmp.Or(cmp.Compare(b.notes, a.notes), strings.Compare(a.text, b.text))
	}).text
}

// Tags returns all tags, ordered without regard to case.
func (g *Graph) Tags() []TagCount {
	out := make([]TagCount, 0, g.tags.n)
	for t := range g.tags.all() {
		out = append(out, TagCount{t.display(), len(t.notes)})
	}
	return out
}

// TagHits returns every place of the tag or one of its children, compared
// without case, ordered by path, then position: all blocks of a note that has
// it in the frontmatter, and the blocks that hold it. A note without blocks
// counts with [InFrontmatter].
func (g *Graph) TagHits(name string) []Ref {
	key := text.FoldCase(name)
	if key == "" {
		return nil
	}
	ids := []NoteID{}
	for t := range g.tags.from(func(t *tag) bool { return t.key < key }) {
		if !strings.HasPrefix(t.key, key) {
			break
		}
		if isTagOrChild(t.key, key) {
			ids = append(ids, t.notes...)
		}
	}
	slices.Sort(ids)
	var refs []Ref
	for _, id := range g.byPath(slices.Compact(ids)) {
		refs = g.slots.get(id).note.tagHits(id, key, refs)
	}
	return refs
}

func isTagOrChild(tag, parent string) bool {
	rest, ok := strings.CutPrefix(tag, parent)
	return ok && (rest == "" || rest[0] == '/')
}

// tagHits appends the places of the tag in n to refs.
func (n *note) tagHits(id NoteID, key string, refs []Ref) []Ref {
	is := make([]bool, len(n.tags))
	for i, t := range n.tags {
		is[i] = isTagOrChild(text.FoldCase(t), key)
	}
	from := len(refs)
	for _, at := range n.tagAt {
		switch {
		case !is[at.Tag]:
		case at.Block != InFrontmatter:
			refs = append(refs, Ref{id, at.Block})
		default:
			return n.everyBlock(id, refs[:from])
		}
	}
	own := refs[from:]
	slices.SortFunc(own, Ref.compare)
	return refs[:from+len(slices.Compact(own))]
}

func (n *note) everyBlock(id NoteID, refs []Ref) []Ref {
	if n.blocks == 0 {
		return append(refs, Ref{id, InFrontmatter})
	}
	for b := range int32(n.blocks) {
		refs = append(refs, Ref{id, b})
	}
	return refs
}

// tagDelta is the change of one tag.
type tagDelta struct {
	delta
	spellings map[string]int // change of the count, by text
}

// retag notes which tags the note takes on and loses.
func (w *writer) retag(id NoteID, before, after *note) {
	var was, is []string
	if before != nil {
		was = before.tags
	}
	if after != nil {
		is = after.tags
	}
	if slices.Equal(was, is) {
		return
	}
	for _, t := range was {
		d := w.tagDelta(t)
		d.del = append(d.del, id)
		d.spellings[t]--
	}
	for _, t := range is {
		d := w.tagDelta(t)
		d.add = append(d.add, id)
		d.spellings[t]++
	}
}

func (w *writer) tagDelta(name string) *tagDelta {
	key := text.FoldCase(name)
	d := w.tags[key]
	if d == nil {
		d = &tagDelta{spellings: map[string]int{}}
		w.tags[key] = d
	}
	return d
}

// sortTags brings the table of tags up to date.
func (w *writer) sortTags() {
	tags := &w.g.tags
	if tags.n == 0 {
		var all []*tag
		for _, key := range slices.Sorted(maps.Keys(w.tags)) {
			all = append(all, w.tags[key].apply(&tag{key: key}))
		}
		*tags = sortedOf(all)
		return
	}
	for key, d := range w.tags {
		before := func(t *tag) bool { return t.key < key }
		old, ok := tags.first(before)
		if !ok || old.key != key {
			tags.insert(d.apply(&tag{key: key}), before)
			continue
		}
		next := d.apply(old)
		if len(next.notes) == 0 {
			tags.remove(before)
			continue
		}
		tags.replace(next, before)
	}
}

// apply returns t after the change.
func (d *tagDelta) apply(t *tag) *tag {
	next := &tag{key: t.key, notes: d.merge(t.notes)}
	counts := maps.Clone(d.spellings)
	for _, s := range t.spellings {
		counts[s.text] += s.notes
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > 0 {
			next.spellings = append(next.spellings, spelling{name, counts[name]})
		}
	}
	return next
}
