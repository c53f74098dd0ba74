// Package text folds and cuts the words of notes and queries: case, accents
// and Unicode forms, words and CJK, snippets. It does no I/O.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Fold returns s without case, accents and compatibility forms, so that two
// spellings of one name are equal. Folding twice changes nothing.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	if isASCII(s) {
		return strings.ToLower(s)
	}
	t := transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), cases.Fold(), norm.NFC)
	out, _, err := transform.String(t, s)
	if err != nil {
		return strings.ToLower(s)
	}
	return out
}

func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// FoldCase returns s in one case and one Unicode form, accents kept: two
// names that differ only in case or in Unicode form become equal
// (decision 6.2).
func FoldCase(s string) string {
	if isFolded(s) {
		return s
	}
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}
