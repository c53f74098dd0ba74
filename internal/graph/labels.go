package graph

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"stratum/internal/text"
)

// labels are the folded texts by which a completion is found.
type labels struct {
	texts   []string
	letters uint64 // which letters occur: see lettersOf
}

func newLabels(texts ...string) *labels {
	l := &labels{texts: texts}
	for _, t := range texts {
		l.letters |= lettersOf(t)
	}
	return l
}

// lettersOf returns a set of the characters of s, spaces left out, several
// characters to a bit: a text lacks what its set lacks.
func lettersOf(s string) uint64 {
	var set uint64
	for _, r := range s {
		if !unicode.IsSpace(r) {
			set |= 1 << (uint32(r) % 64)
		}
	}
	return set
}

// completions returns the labels of n: title, path, stem and aliases.
func (n *note) completions() *labels {
	return once(&n.labels, func() *labels {
		slug := text.Fold(n.path.Slug())
		texts := []string{text.Fold(n.path.Title(n.title)), slug}
		if i := strings.LastIndexByte(slug, '/'); i >= 0 {
			texts = append(texts, slug[i+1:])
		}
		for _, a := range n.aliases {
			texts = append(texts, text.Fold(a))
		}
		return newLabels(texts...)
	})
}

func (t *tag) completions() *labels {
	return once(&t.labels, func() *labels { return newLabels(text.Fold(t.key)) })
}

func (t *targetName) completions() *labels {
	return once(&t.labels, func() *labels { return newLabels(text.Fold(t.shown())) })
}

// once returns what p holds, or what f makes, which is the same each time.
func once(p *atomic.Pointer[labels], f func() *labels) *labels {
	if l := p.Load(); l != nil {
		return l
	}
	l := f()
	p.Store(l)
	return l
}

// class says how a query matches a label; less is better (decision 6.7).
type class int

const (
	exact class = iota
	prefix
	wordPrefix
	substring
	subsequence
	noMatch
)

// needle is a folded query.
type needle struct {
	text    string
	runes   []rune // without spaces, for subsequences
	letters uint64
}

func newNeedle(folded string) needle {
	return needle{
		text:    folded,
		runes:   []rune(strings.Join(strings.Fields(folded), "")),
		letters: lettersOf(folded),
	}
}

// mayMatch reports whether the labels have all letters of the needle.
func (q *needle) mayMatch(l *labels) bool { return q.letters&^l.letters == 0 }

// within returns how the needle matches the best of the labels, by the
// classes up to substring.
func (q *needle) within(l *labels) class {
	best := noMatch
	for _, t := range l.texts {
		best = min(best, q.at(t))
	}
	return best
}

func (q *needle) at(label string) class {
	if strings.HasPrefix(label, q.text) {
		if len(label) == len(q.text) {
			return exact
		}
		return prefix
	}
	best := noMatch
	for from := 0; ; {
		i := strings.Index(label[from:], q.text)
		if i < 0 {
			return best
		}
		i += from
		if !isWord(lastRune(label[:i])) || !isWord(firstRune(q.text)) {
			return wordPrefix
		}
		best = substring
		_, size := utf8.DecodeRuneInString(label[i:])
		from = i + size
	}
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// scattered reports whether the needle's characters stand in one of the
// labels in their order.
func (q *needle) scattered(l *labels) bool {
	for _, t := range l.texts {
		want := q.runes
		for _, r := range t {
			if len(want) > 0 && r == want[0] {
				want = want[1:]
			}
		}
		if len(want) == 0 {
			return true
		}
	}
	return false
}
