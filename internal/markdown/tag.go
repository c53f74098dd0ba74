package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"stratum"
)

// CleanTag drops the leading "#" and a trailing "/" of a tag argument. It
// returns InvalidArgs when nothing is left (decision 6.3).
func CleanTag(tag string) (string, error) {
	if t := trimTag(tag); t != "" {
		return t, nil
	}
	return "", &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: "The tag is empty.",
		Hint:    `Give the tag's name, with or without "#", such as project/alpha.`,
	}
}

// trimTag returns the name in a tag as written in frontmatter or an argument.
func trimTag(s string) string {
	s = strings.TrimLeft(strings.TrimSpace(s), "#")
	return strings.TrimSpace(strings.TrimRight(s, "/"))
}

// tagLength returns the bytes at the start of s that belong to a tag's name,
// which does not end in "/".
func tagLength(s string) int {
	n := 0
	for n < len(s) {
		if c := s[n]; c < utf8.RuneSelf {
			if !isLetter(c) && !isDigit(c) && c != '_' && c != '-' && c != '/' {
				break
			}
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if !isTagRune(r) {
			break
		}
		n += size
	}
	return len(strings.TrimRight(s[:n], "/"))
}

// isTagRune reports whether r, beyond ASCII, may stand in a tag: letters and
// digits of any script with their marks, and emoji with what joins them.
func isTagRune(r rune) bool {
	switch {
	case r == utf8.RuneError:
		return false
	case unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd):
		return true
	case r == zeroWidthJoiner, r >= 0xe0020 && r <= 0xe007f: // emoji sequences
		return true
	case r >= 0x1f000 && r <= 0x1fbff:
		return true
	}
	return unicode.Is(emoji, r)
}

const zeroWidthJoiner = 0x200d

// emoji are the pictographs of the Basic Multilingual Plane.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00a9, 0x00ae, 5},
		{0x203c, 0x203c, 1},
		{0x2049, 0x2049, 1},
		{0x2122, 0x2122, 1},
		{0x2139, 0x2139, 1},
		{0x2194, 0x2199, 1},
		{0x21a9, 0x21aa, 1},
		{0x231a, 0x231b, 1},
		{0x2328, 0x2328, 1},
		{0x23cf, 0x23cf, 1},
		{0x23e9, 0x23f3, 1},
		{0x23f8, 0x23fa, 1},
		{0x24c2, 0x24c2, 1},
		{0x25aa, 0x25ab, 1},
		{0x25b6, 0x25b6, 1},
		{0x25c0, 0x25c0, 1},
		{0x25fb, 0x25fe, 1},
		{0x2600, 0x27bf, 1},
		{0x2934, 0x2935, 1},
		{0x2b05, 0x2b07, 1},
		{0x2b1b, 0x2b1c, 1},
		{0x2b50, 0x2b50, 1},
		{0x2b55, 0x2b55, 1},
		{0x3030, 0x3030, 1},
		{0x303d, 0x303d, 1},
		{0x3297, 0x3299, 2},
	},
	LatinOffset: 1,
}

// isTagName reports whether name, made of a tag's characters, is a tag: not
// only digits, not only punctuation, and no path from the root.
func isTagName(name string) bool {
	if name == "" || name[0] == '/' {
		return false
	}
	digits, visible := true, false
	for _, r := range name {
		if !unicode.IsDigit(r) {
			digits = false
		}
		if r != '-' && r != '/' && r != '_' && r != zeroWidthJoiner && !unicode.IsMark(r) {
			visible = true
		}
	}
	return visible && !digits
}

// sameTag reports whether a and b are one tag in two spellings.
func sameTag(a, b string) bool {
	return a == b || isASCII(a) && isASCII(b) && strings.EqualFold(a, b) || foldTag(a) == foldTag(b)
}

// foldTag returns the form in which a tag is compared: one case, one Unicode
// form, accents kept.
func foldTag(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// tagSet is a list of tags, each once without regard to case.
type tagSet struct {
	list []string
	at   map[string]int // by folded name; nil while the list is short
}

// tagSetScan is the length up to which a list is searched without a map.
const tagSetScan = 8

// add appends tag unless the set has it, and returns its index in the list.
func (s *tagSet) add(tag string) int {
	if s.at == nil {
		for i, t := range s.list {
			if sameTag(t, tag) {
				return i
			}
		}
		s.list = append(s.list, tag)
		if len(s.list) > tagSetScan {
			s.at = make(map[string]int, 2*len(s.list))
			for i, t := range s.list {
				s.at[foldTag(t)] = i
			}
		}
		return len(s.list) - 1
	}
	key := foldTag(tag)
	if i, ok := s.at[key]; ok {
		return i
	}
	s.at[key] = len(s.list)
	s.list = append(s.list, tag)
	return len(s.list) - 1
}
