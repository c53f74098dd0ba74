package graph

import (
	"cmp"
	"strings"

	"stratum"
)

// The rules of decision 6.2 in their order; the first that matches counts.
// The exact path and the path in another case are told apart; the file's stem
// is a path suffix of one component. A suffix, stem, title or alias may match
// percent-decoded too, after the target as written.
const (
	ruleExact = 2 * (iota + 1)
	ruleFolded
	ruleDecoded
	ruleSuffix
	ruleDashes
	ruleTitle
	ruleAlias
)

// match says how well a note matches a target; less is better.
type match struct {
	rule    int // 0: not at all; odd: percent-decoded
	inexact int // 1: only in another case
}

func (m match) less(o match) bool {
	return cmp.Or(cmp.Compare(m.rule, o.rule), cmp.Compare(m.inexact, o.inexact)) < 0
}

// Resolve finds the note that the link target names when it stands in the
// note at from; the zero from is the vault's root. Decision 6.2 orders what
// matches. A target within the note itself ("#heading") finds nothing.
func (g *Graph) Resolve(from stratum.Path, target string) (NoteID, bool) {
	page := pageOf(target)
	if page == "" {
		return 0, false
	}
	dir := from.Dir()
	q := queryOf(page, dir)
	if !q.relative {
		dir = ""
	}
	if _, t := g.target(page, dir, q.places(page, dir)[0]); t.name != nil {
		return t.to, t.found
	}
	return g.best(&q)
}

// best returns the note that matches q best.
func (g *Graph) best(q *query) (id NoteID, ok bool) {
	var at candidate
	for _, key := range q.keys() {
		for _, x := range g.names.bucket(key) {
			if x.hash == key {
				if c := g.candidate(q, x.id); c.better(&at) {
					at = c
				}
			}
		}
	}
	return at.id, at.rule != 0
}

// candidate is a note beside how it matches a target.
type candidate struct {
	match
	id   NoteID
	note *note
}

func (g *Graph) candidate(q *query, id NoteID) candidate {
	n := g.slots.get(id).note
	if n == nil {
		return candidate{}
	}
	return candidate{q.match(n), id, n}
}

// better reports whether a target goes to c rather than to o: by rule, then
// exact case, fewest components, byte order (decision 6.2).
func (c *candidate) better(o *candidate) bool {
	if c.rule == 0 || o.rule == 0 {
		return c.rule != 0
	}
	if c.match != o.match {
		return c.match.less(o.match)
	}
	return cmp.Or(
		cmp.Compare(strings.Count(c.note.path.String(), "/"), strings.Count(o.note.path.String(), "/")),
		c.note.path.Compare(o.note.path),
		cmp.Compare(c.id, o.id),
	) < 0
}

// match returns how q matches n, by the best of its forms.
func (q *query) match(n *note) match {
	var best match
	for i := range q.forms {
		m := q.forms[i].match(n, q.relative)
		if m.rule != 0 && (best.rule == 0 || m.less(best)) {
			best = m
		}
	}
	return best
}

func (f *form) match(n *note, relative bool) match {
	if m := f.matchPath(n.path.Slug(), relative); m.rule != 0 || relative {
		return m
	}
	if m := f.matchDashes(n.path.Stem()); m.rule != 0 {
		return m
	}
	if m := f.matchName(n.title, ruleTitle); m.rule != 0 {
		return m
	}
	var best match
	for _, a := range n.aliases {
		if m := f.matchName(a, ruleAlias); m.rule != 0 && (best.rule == 0 || m.less(best)) {
			best = m
		}
	}
	return best
}

func (f *form) matchPath(slug string, relative bool) match {
	end := tail(slug, f.depth)
	full := len(end) == len(slug)
	if end == "" || relative && !full {
		return match{}
	}
	with := f.bare != "" && sameFold(end, f.bare)
	if !with && !sameFold(end, f.text) {
		return match{}
	}
	if with {
		end += stratum.NoteExt
	}
	switch {
	case full && f.decoded:
		return f.matched(ruleDecoded, end, f.text)
	case full && end == f.text:
		return match{rule: ruleExact}
	case full:
		return f.matched(ruleFolded, end, f.text)
	}
	return f.matched(ruleSuffix, end, f.text)
}

func (f *form) matchDashes(stem string) match {
	if f.depth > 1 || !strings.ContainsAny(stem, " -") {
		return match{}
	}
	loose := loosen(stem)
	for _, s := range []string{f.text, f.bare} {
		if s != "" && loosen(s) == loose {
			return f.matched(ruleDashes, dashed(stem), dashed(s))
		}
	}
	return match{}
}

func (f *form) matchName(name string, rule int) match {
	if name = strings.TrimSpace(name); name == "" || !sameFold(name, f.text) {
		return match{}
	}
	return f.matched(rule, name, f.text)
}

func (f *form) matched(rule int, name, text string) match {
	m := match{rule: rule}
	if f.decoded {
		m.rule++
	}
	if !sameForm(name, text) {
		m.inexact = 1
	}
	return m
}
