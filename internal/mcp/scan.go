package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// The functions of this file walk JSON that json.Valid has accepted, so they
// check no syntax. They exist because encoding/json takes the last of
// duplicate keys, matches keys without case, and stores U+FFFD for half a
// surrogate pair: none of that may decide what a note holds.

// member is one key and value of an object, in the order sent.
type member struct {
	key   string
	value json.RawMessage
}

// object splits a JSON object. dup is the first key that stands twice.
func object(raw []byte) (members []member, dup string, hasDup bool) {
	var keys keySet
	for i := skipSpace(raw, 1); raw[i] != '}'; {
		end := skipString(raw, i)
		key := unquote(raw[i:end])
		if !keys.add(key) && !hasDup {
			dup, hasDup = key, true
		}
		start := skipSpace(raw, skipSpace(raw, end)+1)
		end = skipValue(raw, start)
		members = append(members, member{key, raw[start:end:end]})
		i = skipComma(raw, end)
	}
	return members, dup, hasDup
}

// array splits a JSON array, up to limit elements; more reports that there
// are others.
func array(raw []byte, limit int) (elements []json.RawMessage, more bool) {
	for i := skipSpace(raw, 1); raw[i] != ']'; {
		if len(elements) == limit {
			return elements, true
		}
		end := skipValue(raw, i)
		elements = append(elements, raw[i:end:end])
		i = skipComma(raw, end)
	}
	return elements, false
}

func find(members []member, key string) json.RawMessage {
	for _, m := range members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func skipSpace(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r' {
		i++
	}
	return i
}

// skipComma returns the start of what follows a member or an element: the
// next one, or the closing bracket.
func skipComma(b []byte, i int) int {
	if i = skipSpace(b, i); b[i] == ',' {
		i = skipSpace(b, i+1)
	}
	return i
}

// skipString returns the end of the string that starts at i.
func skipString(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++ // the escaped character
		}
	}
	return i + 1
}

// skipValue returns the end of the value that starts at i.
func skipValue(b []byte, i int) int {
	for depth := 0; ; {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
			continue
		default:
			for i < len(b) && !strings.ContainsRune(" \t\n\r,:]}", rune(b[i])) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// unquote returns the text of a JSON string. Half a surrogate pair becomes
// U+FFFD; findFlaw tells where that happens.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// typeName returns the JSON type of a value, as an error names it.
func typeName(raw []byte) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// flaw is a place in valid JSON that has no single sound meaning.
type flaw struct {
	path string // JSON pointer
	why  string
}

// numberMax bounds the digits and the exponent of a number, so that nobody
// makes us compute with a million digits.
const numberMax = 1000

const halfPair = `half of a surrogate pair (\ud800 to \udfff alone), which stands for no character`

// findFlaw returns the first flaw of a value: a key that stands twice, half a
// surrogate pair, a number out of all bounds; nil when there is none. It
// takes one pass. json.Valid bounds its recursion to 10,000 levels.
func findFlaw(raw []byte) *flaw {
	_, f := flawOf(raw, skipSpace(raw, 0))
	return f
}

// flawOf walks the value that starts at i and returns its end.
func flawOf(b []byte, i int) (int, *flaw) {
	switch b[i] {
	case '{':
		return flawOfObject(b, i)
	case '[':
		i = skipSpace(b, i+1)
		for n := 0; b[i] != ']'; n++ {
			end, f := flawOf(b, i)
			if f != nil {
				f.path = "/" + strconv.Itoa(n) + f.path
				return end, f
			}
			i = skipComma(b, end)
		}
		return i + 1, nil
	case '"':
		end := skipString(b, i)
		if hasHalfPair(b[i:end]) {
			return end, &flaw{"", "holds " + halfPair}
		}
		return end, nil
	}
	end := skipValue(b, i)
	if (b[i] == '-' || b[i] <= '9') && tooLarge(b[i:end]) {
		return end, &flaw{"", "is a number out of all bounds"}
	}
	return end, nil
}

func flawOfObject(b []byte, i int) (int, *flaw) {
	var keys keySet
	for i = skipSpace(b, i+1); b[i] != '}'; {
		end := skipString(b, i)
		if hasHalfPair(b[i:end]) {
			return end, &flaw{"", "has a key that holds " + halfPair}
		}
		key := unquote(b[i:end])
		if !keys.add(key) {
			return end, &flaw{pointer(key), "stands twice in its object"}
		}
		end, f := flawOf(b, skipSpace(b, skipSpace(b, end)+1))
		if f != nil {
			f.path = pointer(key) + f.path
			return end, f
		}
		i = skipComma(b, end)
	}
	return i + 1, nil
}

// keySet holds the keys of one object. Few keys, the usual case, cost no map.
type keySet struct {
	few  []string
	many map[string]bool
}

// add reports whether key is new.
func (s *keySet) add(key string) bool {
	if s.many == nil && len(s.few) == 16 {
		s.many = make(map[string]bool)
		for _, k := range s.few {
			s.many[k] = true
		}
	}
	if s.many != nil {
		known := s.many[key]
		s.many[key] = true
		return !known
	}
	if slices.Contains(s.few, key) {
		return false
	}
	s.few = append(s.few, key)
	return true
}

// hasHalfPair reports whether a JSON string escapes a surrogate without its
// other half.
func hasHalfPair(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return false
		}
		if raw[i+1] != 'u' {
			raw = raw[i+2:]
			continue
		}
		switch u := hex4(raw[i+2:]); {
		case u >= 0xDC00 && u <= 0xDFFF:
			return true
		case u >= 0xD800 && u <= 0xDBFF:
			rest := raw[i+6:]
			if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
				return true
			}
			if low := hex4(rest[2:]); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			raw = rest[6:]
		default:
			raw = raw[i+6:]
		}
	}
}

func hex4(b []byte) uint64 {
	u, err := strconv.ParseUint(string(b[:4]), 16, 32)
	if err != nil {
		return 0
	}
	return u
}

func tooLarge(number []byte) bool {
	if len(number) > numberMax {
		return true
	}
	e := bytes.IndexAny(number, "eE")
	if e < 0 {
		return false
	}
	exp, err := strconv.Atoi(string(number[e+1:]))
	return err != nil || exp > numberMax || exp < -numberMax
}

// pointer returns key as a step of a JSON pointer.
func pointer(key string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
