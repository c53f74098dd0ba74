package fulltext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stratum/internal/text"
)

// queryTokens is how many words of a query count; those behind are ignored.
const queryTokens = 1024

// Query is a parsed query (decision 6.4). Any text is a query.
type Query struct {
	terms   []term // each to be matched
	without []term // none of which may match
}

// A term is a word, a phrase, or either with its last word a prefix.
type term struct {
	words   []string // folded; at least one
	offsets []uint32 // positions of the words from the first
	prefix  bool
	quoted  bool
	cjk     bool
}

func (t *term) equal(o *term) bool {
	return t.prefix == o.prefix && slices.Equal(t.words, o.words) && slices.Equal(t.offsets, o.offsets)
}

// ParseQuery reads a query. It never fails: what is no operator is text.
func ParseQuery(q string) *Query {
	p := queryParser{rest: q, before: ' ', left: queryTokens}
	for p.rest != "" && p.left > 0 {
		p.next()
	}
	return &p.q
}

type queryParser struct {
	q          Query
	rest       string
	before     rune // the rune before rest
	left       int  // words that may still be taken
	unbalanced bool // no quote follows in rest
}

// skip passes over the first n bytes of rest.
func (p *queryParser) skip(n int) string {
	s := p.rest[:n]
	if n > 0 {
		p.before, _ = utf8.DecodeLastRuneInString(s)
	}
	p.rest = p.rest[n:]
	return s
}

// next reads one term, or passes over what is none.
func (p *queryParser) next() {
	r, size := utf8.DecodeRuneInString(p.rest)
	negative := false
	if r == '-' && unicode.IsSpace(p.before) {
		after, _ := utf8.DecodeRuneInString(p.rest[size:])
		_, _, quoted := p.quotation(p.rest[size:], r)
		if text.IsWord(after) || quoted {
			negative = true
			p.skip(size)
			r, size = utf8.DecodeRuneInString(p.rest)
		}
	}
	if inner, end, ok := p.quotation(p.rest, p.before); ok {
		p.skip(end)
		p.add(inner, false, true, negative)
		return
	}
	end := size
	for end < len(p.rest) && !unicode.IsSpace(r) {
		next, n := utf8.DecodeRuneInString(p.rest[end:])
		if _, _, ok := p.quotation(p.rest[end:], r); ok || unicode.IsSpace(next) {
			break
		}
		r, end = next, end+n
	}
	word := p.skip(end)
	prefix := false
	if stem, ok := strings.CutSuffix(word, "*"); ok {
		last, _ := utf8.DecodeLastRuneInString(stem)
		prefix = text.IsWord(last)
	}
	p.add(word, prefix, false, negative)
}

// quotation returns what s quotes when it begins with a quote that opens, and
// where the quotation ends. A quote within a word opens nothing, nor does one
// that is never closed.
func (p *queryParser) quotation(s string, before rune) (inner string, end int, ok bool) {
	r, n := utf8.DecodeRuneInString(s)
	if !isQuote(r) || p.unbalanced || text.IsWord(before) {
		return "", 0, false
	}
	i := strings.IndexFunc(s[n:], isQuote)
	if i < 0 {
		p.unbalanced = true
		return "", 0, false
	}
	_, m := utf8.DecodeRuneInString(s[n+i:])
	return s[n : n+i], n + i + m, true
}

func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '„' }

// add adds the term that s is made of, if it has a word.
func (p *queryParser) add(s string, prefix, quoted, negative bool) {
	t := newTerm(s, p.left)
	if len(t.words) == 0 {
		return
	}
	p.left -= len(t.words)
	t.prefix, t.quoted = prefix, quoted
	list := &p.q.terms
	if negative {
		list = &p.q.without
	}
	*list = addTerm(*list, t)
}

func addTerm(list []term, t term) []term {
	if slices.ContainsFunc(list, func(o term) bool { return t.equal(&o) }) {
		return list
	}
	return append(list, t)
}

// newTerm returns the phrase of the words of s, at most limit. CJK is looked up
// by pairs; a character alone only where it has no neighbour.
func newTerm(s string, limit int) (t term) {
	first, pairedAt := 0, -2
	var single []bool // by word: a CJK character that a pair may cover
	for tok := range text.Tokens(s) {
		if len(t.words) == 0 {
			first = tok.Pos
		}
		if tok.Kind == text.Pair {
			t.cjk = true
			if n := len(t.words) - 1; n >= 0 && single[n] { // its own first character
				t.words, t.offsets, single = t.words[:n], t.offsets[:n], single[:n]
			}
			pairedAt = tok.Pos
		} else if tok.Kind == text.Char && tok.Pos == pairedAt+1 {
			// The pair before covers it; one behind may yet begin with it.
			continue
		}
		if len(t.words) == limit {
			break
		}
		t.words = append(t.words, strings.Clone(tok.Text))
		t.offsets = append(t.offsets, uint32(tok.Pos-first))
		single = append(single, tok.Kind == text.Char)
	}
	return t
}

// relaxed returns the terms any of which may match when not all do: CJK text
// that is not quoted falls into its pairs, since it has no spaces to tell its
// words. It is nil when there is nothing to relax.
func (q *Query) relaxed() []term {
	var terms []term
	for _, t := range q.terms {
		if !t.cjk || t.quoted {
			terms = addTerm(terms, t)
			continue
		}
		for i, w := range t.words {
			part := term{words: []string{w}, offsets: []uint32{0}}
			part.prefix = t.prefix && i == len(t.words)-1
			terms = addTerm(terms, part)
		}
	}
	if len(terms) < 2 {
		return nil
	}
	return terms
}
