package fulltext

import (
	"bytes"
	"strings"

	"stratum/internal/text"
)

// Snippet returns at most limit characters of s around the first match of the
// query in it, or its beginning where nothing matches.
func (q *Query) Snippet(s string, limit int) string {
	start, end, _ := q.Find(s)
	return text.Snippet(s, start, end, limit)
}

// Find returns the bytes of the first match of any of the query's words or
// phrases in s. Where no phrase matches it looks for a part of one.
func (q *Query) Find(s string) (start, end int, ok bool) {
	if start, end, ok = find(s, q.terms); ok {
		return start, end, true
	}
	var parts []term
	for _, t := range q.terms {
		for i, w := range t.words {
			if len(t.words) > 1 {
				parts = append(parts, term{words: []string{w}, offsets: []uint32{0}, prefix: t.prefix && i == len(t.words)-1})
			}
		}
	}
	return find(s, parts)
}

// find returns the first match of any of terms in s.
func find(s string, terms []term) (start, end int, ok bool) {
	if len(terms) == 0 {
		return 0, 0, false
	}
	first := make(map[string][]*term, len(terms)) // by first word
	var prefixes []*term
	for i := range terms {
		t := &terms[i]
		if len(t.words) == 1 && t.prefix {
			prefixes = append(prefixes, t)
			continue
		}
		first[t.words[0]] = append(first[t.words[0]], t)
	}
	var sc text.Scanner
	for sc.Reset(s); sc.Scan(); {
		start, end := sc.Span()
		for _, t := range prefixes {
			if bytes.HasPrefix(sc.Word(), []byte(t.words[0])) {
				return start, end, true
			}
		}
		for _, t := range first[string(sc.Word())] {
			if len(t.words) == 1 {
				return start, end, true
			}
			if end, ok := t.endIn(s, start); ok {
				return start, end, true
			}
		}
	}
	return 0, 0, false
}

// endIn returns where the phrase ends that begins at byte at of s.
func (t *term) endIn(s string, at int) (end int, ok bool) {
	var sc text.Scanner
	i := 0
	for sc.ResetAt(s, at); i < len(t.words) && sc.Scan(); {
		if sc.Pos() > int(t.offsets[i]) {
			return 0, false
		}
		if sc.Pos() < int(t.offsets[i]) {
			continue
		}
		word := string(sc.Word())
		if word == t.words[i] || t.prefix && i == len(t.words)-1 && strings.HasPrefix(word, t.words[i]) {
			_, end = sc.Span()
			i++
		}
	}
	return end, i == len(t.words)
}
