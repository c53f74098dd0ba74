package text

import (
	"iter"
	"unicode/utf8"
)

// Token is a word of a text. CJK text gives each character and, overlapping,
// each pair of neighbours.
type Token struct {
	Text       string // folded
	Start, End int    // bytes in the text
	Pos        int    // word position from 0; a pair has that of its first character
	Kind       Kind
}

// Tokens yields the words of s in order.
func Tokens(s string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		var sc Scanner
		for sc.Reset(s); sc.Scan(); {
			if !yield(Token{Text: sc.Text(), Start: sc.start, End: sc.end, Pos: sc.Pos(), Kind: sc.kind}) {
				return
			}
		}
	}
}

// IsWord reports whether r is a letter or digit, so that a word can begin
// with it.
func IsWord(r rune) bool {
	if r < 0 {
		return false
	}
	if r < utf8.RuneSelf {
		return ascii[r] != 0
	}
	k := classOf(r)
	return k == letter || k == unspaced
}
