package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finder finds one name in many texts. It is safe for concurrent use.
type Finder struct {
	words []string // folded; empty when the name has none
	gaps  []string // what stands before each word, and after the last
}

// NewFinder returns a Finder for name, whose white space at the ends does not
// count. An empty name is found nowhere.
func NewFinder(name string) *Finder {
	name = strings.TrimSpace(name)
	f := &Finder{}
	at := 0
	for t := range Tokens(name) {
		if t.Kind == Pair {
			continue
		}
		f.words = append(f.words, t.Text)
		f.gaps = append(f.gaps, name[at:t.Start])
		at = t.End
	}
	f.gaps = append(f.gaps, name[at:])
	return f
}

// Find returns the bytes of the first occurrence of the name in s that begins
// at or after byte from. Case, accents and the amount of white space do not
// count; an occurrence never begins or ends inside a word, except that CJK has
// no words.
func (f *Finder) Find(s string, from int) (start, end int, ok bool) {
	from = max(from, 0)
	if from > len(s) {
		return 0, 0, false
	}
	if len(f.words) == 0 {
		return f.findLiteral(s, from)
	}
	var sc Scanner
	for sc.ResetAt(s, wordStart(s, boundary(s, from))); sc.Scan(); {
		if sc.kind == Pair || string(sc.Word()) != f.words[0] {
			continue
		}
		start, ok := gapBefore(s, sc.start, f.gaps[0])
		if !ok || start < from {
			continue
		}
		if end, ok := f.rest(s, sc.end); ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// rest returns where the name ends whose first word ends at byte at of s.
func (f *Finder) rest(s string, at int) (end int, ok bool) {
	if len(f.words) > 1 {
		var sc Scanner
		sc.ResetAt(s, at)
		for i, word := range f.words[1:] {
			gap, ok := gapAfter(s, at, f.gaps[i+1])
			if !ok {
				return 0, false
			}
			for sc.Scan() && sc.kind == Pair {
			}
			if sc.start != gap || string(sc.Word()) != word {
				return 0, false
			}
			at = sc.end
		}
	}
	return gapAfter(s, at, f.gaps[len(f.gaps)-1])
}

// findLiteral looks for a name that has no words, such as an emoji.
func (f *Finder) findLiteral(s string, from int) (start, end int, ok bool) {
	name := f.gaps[0]
	if name == "" || !utf8.ValidString(name) {
		return 0, 0, false
	}
	i := strings.Index(s[from:], name)
	if i < 0 {
		return 0, 0, false
	}
	return from + i, from + i + len(name), true
}

// wordStart returns where the word begins that byte at is inside of, or at.
func wordStart(s string, at int) int {
	for at > 0 {
		c := s[at-1]
		if c < utf8.RuneSelf && ascii[c] == 0 {
			break
		}
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if r >= utf8.RuneSelf {
			if k := classOf(r); k == separator || k == unspaced {
				break
			}
		}
		at -= size
	}
	return at
}

// gapAfter returns where gap ends when it stands at byte at of s.
func gapAfter(s string, at int, gap string) (end int, ok bool) {
	for i := 0; i < len(gap); {
		want, n := utf8.DecodeRuneInString(gap[i:])
		got, m := utf8.DecodeRuneInString(s[at:])
		if unicode.IsSpace(want) {
			if !unicode.IsSpace(got) {
				return 0, false
			}
			i += spaces(gap[i:])
			at += spaces(s[at:])
			continue
		}
		if m == 0 || quote(got) != quote(want) {
			return 0, false
		}
		i += n
		at += m
	}
	return at, true
}

// gapBefore returns where gap begins when it ends at byte at of s.
func gapBefore(s string, at int, gap string) (start int, ok bool) {
	if gap == "" {
		return at, true
	}
	for start = at; start > 0; {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
		if end, ok := gapAfter(s[:at], start, gap); ok && end == at {
			return start, true
		}
		if at-start > 4*len(gap)+64 {
			break
		}
	}
	return 0, false
}

func spaces(s string) int { return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)) }

// quote makes typographic apostrophes equal to the typed one.
func quote(r rune) rune {
	if r == '‘' || r == '’' {
		return '\''
	}
	return r
}
