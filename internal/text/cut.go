package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// slack is how many characters a cut moves inward to fall between words.
const slack = 24

const ellipsis = "…"

// Around returns at most limit characters of s around byte at, cut between
// characters and, where one is near, between words. It is a part of s.
func Around(s string, at, limit int) string {
	start, end := window(s, at, at, limit)
	return s[start:end]
}

// Snippet returns at most limit characters of s around the match that is
// bytes start to end. "…" marks where text was left out and counts.
func Snippet(s string, start, end, limit int) string {
	if limit < 3 {
		return Around(s, start, limit)
	}
	if fits(s, limit) {
		return strings.TrimSpace(s)
	}
	a, b := window(s, start, end, limit-2)
	out := strings.TrimSpace(s[a:b])
	if a > 0 {
		out = ellipsis + out
	}
	if b < len(s) {
		out += ellipsis
	}
	return out
}

// fits reports whether s has at most limit characters.
func fits(s string, limit int) bool {
	return len(s) <= limit || len(s) <= limit*utf8.UTFMax && utf8.RuneCountInString(s) <= limit
}

// window returns the bytes of at most limit characters of s that hold the
// match start to end, a third of what is left before it and the rest after.
func window(s string, start, end, limit int) (from, to int) {
	limit = max(limit, 0)
	if fits(s, limit) {
		return 0, len(s)
	}
	start = boundary(s, min(max(start, 0), len(s)))
	end = min(max(end, start), len(s))

	match := 0
	to = start
	for to < end && match < limit {
		to += size(s[to:])
		match++
	}
	room := limit - match
	after := 0
	for to < len(s) && after < room {
		to += size(s[to:])
		after++
	}
	// What follows may be short; then more of what precedes is shown.
	lead := room / 3
	if after < room-lead {
		lead = room - after
	}
	before := 0
	for from = start; from > 0 && before < lead; before++ {
		_, n := utf8.DecodeLastRuneInString(s[:from])
		from -= n
	}
	for extra := before + after - room; extra > 0; extra-- {
		_, n := utf8.DecodeLastRuneInString(s[:to])
		to -= n
	}
	return tidyStart(s, from, start), tidyEnd(s, to, min(max(end, start), to))
}

// boundary returns the start of the character that byte at of s is inside of.
func boundary(s string, at int) int {
	for back := 0; at > 0 && at < len(s) && back < utf8.UTFMax && !utf8.RuneStart(s[at]); back++ {
		at--
	}
	return at
}

func size(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// tidyStart moves a cut at from forward, at most to limit, to the start of a
// word that is near, and never leaves a mark without its letter.
func tidyStart(s string, from, limit int) int {
	if from == 0 {
		return from
	}
	for i, n := from, 0; i < limit && n < slack; n++ {
		r, w := utf8.DecodeRuneInString(s[i:])
		i += w
		if unicode.IsSpace(r) {
			return i
		}
	}
	for from < limit {
		r, w := utf8.DecodeRuneInString(s[from:])
		if !joins(r) {
			break
		}
		from += w
	}
	return from
}

// tidyEnd moves a cut at to back, at least to limit, to the end of a word
// that is near, and never parts a letter from its marks.
func tidyEnd(s string, to, limit int) int {
	if to == len(s) {
		return to
	}
	for i, n := to, 0; i >= limit && n < slack; n++ {
		if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
			return i
		}
		_, w := utf8.DecodeLastRuneInString(s[:i])
		if w == 0 {
			break
		}
		i -= w
	}
	for to > limit {
		r, _ := utf8.DecodeRuneInString(s[to:])
		if !joins(r) {
			break
		}
		_, w := utf8.DecodeLastRuneInString(s[:to])
		to -= w
	}
	return to
}

// joins reports whether r belongs to the character before it.
func joins(r rune) bool { return r == 0x200D || r >= 0x300 && unicode.Is(unicode.M, r) }
