package graph

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"stratum"
	"stratum/internal/text"
)

// The kinds of completion (contract §5.9).
const (
	KindPage     = "page"
	KindTag      = "tag"
	KindBacklink = "backlink"
)

// Complete suggests what the query may be a part of, best first: exact match,
// prefix, prefix of a word, substring, subsequence; then by use, which is the
// number of inbound links as [Graph.Inbound] counts them, or of notes with the
// tag; then by text and detail (decision 6.7). A page is found by title, path,
// stem and aliases, ".md" in the query or not. A backlink is found like a
// page, or is a target that no note answers to yet; its detail ends in the
// number of links. An unknown kind has no completions.
func (g *Graph) Complete(kind, query string, limit int) []stratum.Completion {
	query = text.Fold(strings.TrimSpace(query))
	if kind == KindTag {
		query = strings.TrimLeft(query, "#")
	}
	needles := []needle{newNeedle(query)}
	if bare, ok := strings.CutSuffix(query, stratum.NoteExt); ok && kind != KindTag {
		needles = append(needles, newNeedle(bare))
	}
	out := []stratum.Completion{}
	for _, options := range g.matching(kind, needles, limit) {
		if left := limit - len(out); left > 0 && len(options) > 0 {
			out = append(out, g.ranked(kind, options, left)...)
		}
	}
	return out
}

// option is what may be suggested: a note, a tag, or a target that resolves
// to no note.
type option struct {
	labels *labels
	note   View
	tag    *tag
	target uint32
}

// matching returns the options that match, by class. Subsequences are looked
// for only where the other classes do not reach the limit.
func (g *Graph) matching(kind string, needles []needle, limit int) [noMatch][]option {
	var by [noMatch][]option
	var rest []option // what may hold the query's letters here and there
	found := 0
	for o := range g.options(kind) {
		if !needles[len(needles)-1].mayMatch(o.labels) {
			continue
		}
		best := noMatch
		for i := range needles {
			best = min(best, needles[i].within(o.labels))
		}
		if best == noMatch {
			rest = append(rest, o)
			continue
		}
		by[best] = append(by[best], o)
		found++
	}
	if found >= limit {
		return by
	}
	for _, o := range rest {
		if needles[0].scattered(o.labels) {
			by[subsequence] = append(by[subsequence], o)
		}
	}
	return by
}

// options yields everything of a kind.
func (g *Graph) options(kind string) iter.Seq[option] {
	return func(yield func(option) bool) {
		if kind == KindTag {
			for t := range g.tags.all() {
				if !yield(option{labels: t.completions(), tag: t}) {
					return
				}
			}
			return
		}
		if kind != KindPage && kind != KindBacklink {
			return
		}
		for id := range g.All() {
			v, _ := g.Note(id)
			if !yield(option{labels: v.note.completions(), note: v}) {
				return
			}
		}
		if kind == KindPage {
			return
		}
		for id := range g.limit {
			t := g.targets.get(id)
			if t.name == nil || t.found || t.name.shown() == "" {
				continue
			}
			if !yield(option{labels: t.name.completions(), target: id}) {
				return
			}
		}
	}
}

// ranked returns the first limit completions of one class.
func (g *Graph) ranked(kind string, options []option, limit int) []stratum.Completion {
	all := make([]suggestion, 0, len(options))
	missing := map[string][]uint32{}
	for _, o := range options {
		switch {
		case o.tag != nil:
			all = append(all, suggestion{uses: len(o.tag.notes), tag: o.tag})
		case o.note.note != nil:
			all = append(all, suggestion{uses: g.InboundCount(o.note.id), note: o.note})
		default:
			key := text.FoldCase(g.targets.get(o.target).name.shown())
			missing[key] = append(missing[key], o.target)
		}
	}
	for _, ids := range missing {
		spelling, uses := g.wanted(ids)
		all = append(all, suggestion{uses: uses, missing: spelling})
	}
	slices.SortFunc(all, func(a, b suggestion) int { return cmp.Compare(b.uses, a.uses) })
	end := min(limit, len(all))
	for end > 0 && end < len(all) && all[end].uses == all[end-1].uses {
		end++
	}
	all = all[:end]
	for i := range all {
		all[i].write(kind)
	}
	slices.SortFunc(all, func(a, b suggestion) int {
		return cmp.Or(
			cmp.Compare(b.uses, a.uses),
			strings.Compare(a.Text, b.Text),
			strings.Compare(a.Detail, b.Detail),
		)
	})
	out := make([]stratum.Completion, min(limit, len(all)))
	for i := range out {
		out[i] = all[i].Completion
	}
	return out
}

// suggestion is an option on its way to a completion: a tag, a note or a name
// that is missing.
type suggestion struct {
	stratum.Completion
	uses    int
	tag     *tag
	note    View
	missing string
}

func (s *suggestion) write(kind string) {
	s.Kind = kind
	switch {
	case s.tag != nil:
		s.Text, s.Detail = s.tag.display(), strconv.Itoa(s.uses)
		return
	case s.note.note != nil:
		s.Text, s.Detail = s.note.Title(), s.note.Path().String()
	default:
		s.Text, s.Detail = s.missing, "not yet written ("+countLinks(s.uses)+")"
	}
}

// wanted returns the spelling that most notes use of targets that differ in
// case only, and the number of blocks that link to any of them.
func (g *Graph) wanted(ids []uint32) (spelling string, links int) {
	var sources []NoteID
	most := map[string]int{}
	for _, id := range ids {
		t := g.targets.get(id)
		sources = append(sources, t.sources...)
		most[t.name.shown()] += len(t.sources)
	}
	for s, n := range most {
		if spelling == "" || n > most[spelling] || n == most[spelling] && s < spelling {
			spelling = s
		}
	}
	slices.Sort(sources)
	var blocks []int32
	for _, src := range slices.Compact(sources) {
		blocks = g.blocksThat(src, blocks[:0], func(l link) bool { return slices.Contains(ids, l.target) })
		links += len(blocks)
	}
	return spelling, links
}

func countLinks(n int) string {
	if n == 1 {
		return "1 link"
	}
	return strconv.Itoa(n) + " links"
}

// shown returns the target as a path or name in the vault; "" for one that
// would leave the vault.
func (t *targetName) shown() string {
	if !isRelative(t.page) {
		return t.page
	}
	return join(t.dir, t.page)
}
