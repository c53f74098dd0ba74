// Package text folds and cuts the words of notes and queries: case, accents
// and Unicode forms, words and CJK, mentions, snippets. It does no I/O.
package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns s without case, accents and compatibility forms, so that two
// spellings of one name are equal. Folding twice changes nothing. The marks of
// scripts that write vowels with them, and Japanese voicing, are no accents.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	if isASCII(s) {
		return strings.ToLower(s)
	}
	if out, ok := foldSimple(make([]byte, 0, len(s)+8), s); ok {
		return string(out)
	}
	return foldAny(s)
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
	return norm.NFC.String(foldLetters(norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))))
}

// foldLetters folds case. Unicode folds Cherokee to its capitals, which
// x/text's tables also fold back again.
func foldLetters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xAB70 && r <= 0xABBF:
			return r - 0xAB70 + 0x13A0
		case r >= 0x13F8 && r <= 0x13FD:
			return r - 8
		}
		return r
	}, cases.Fold().String(s))
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

// foldAny folds any text, slowly. Bytes that are no UTF-8 become U+FFFD.
func foldAny(s string) string {
	plain := strings.Map(func(r rune) rune {
		if isAccent(r) || isInvisible(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(strings.ToValidUTF8(s, "\uFFFD")))
	return norm.NFC.String(strokes.Replace(foldLetters(plain)))
}

// strokes maps the letters whose mark is part of the letter, so that Unicode
// does not take it off, to what people type who lack the key.
var strokes = strings.NewReplacer(
	"ø", "o", "ł", "l", "đ", "d", "ħ", "h", "ŧ", "t", "ı", "i", "æ", "ae", "œ", "oe",
)

// isAccent reports whether r is a mark that only modifies a letter. Marks of
// other scripts than these are vowels and tones, and tell words apart.
func isAccent(r rune) bool {
	if r < 0x300 || r == 0x3099 || r == 0x309A { // the kana's voicing marks
		return false
	}
	return unicode.In(r, unicode.Mn, unicode.Me) && unicode.In(r, unicode.Inherited,
		unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic, unicode.Syriac)
}

// isInvisible reports whether r stands inside words without being seen: soft
// hyphen, zero-width joiners.
func isInvisible(r rune) bool {
	return r == 0x00AD || r == 0x200C || r == 0x200D || r == 0x2060
}

// The runes whose folding depends on no neighbour and is looked up.
const (
	latinFirst, latinLast = 0x80, 0x52F // Latin, combining accents, Greek, Cyrillic
	extraFirst, extraLast = 0x1E00, 0x1EFF
)

var foldings = sync.OnceValue(func() *[latinLast - latinFirst + 1 + extraLast - extraFirst + 1]string {
	var t [latinLast - latinFirst + 1 + extraLast - extraFirst + 1]string
	for r := rune(latinFirst); r <= latinLast; r++ {
		t[r-latinFirst] = foldAny(string(r))
	}
	for r := rune(extraFirst); r <= extraLast; r++ {
		t[latinLast-latinFirst+1+r-extraFirst] = foldAny(string(r))
	}
	return &t
})

// foldSimple appends the folding of s to dst rune by rune. It gives up at a
// rune that needs more.
func foldSimple(dst []byte, s string) (out []byte, ok bool) {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r <= latinLast:
			dst = append(dst, foldings()[r-latinFirst]...)
		case r >= extraFirst && r <= extraLast:
			dst = append(dst, foldings()[latinLast-latinFirst+1+r-extraFirst]...)
		case foldsToItself(r):
			dst = append(dst, s[i:i+n]...)
		default:
			return dst, false
		}
		i += n
	}
	return dst, true
}

// foldsToItself reports whether r is a common ideograph, kana or Hangul
// syllable, which folding leaves alone.
func foldsToItself(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FA || r >= 0xAC00 && r <= 0xD7A3
}
