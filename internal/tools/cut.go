package tools

import "unicode/utf8"

// costOf says what a character of a string costs in an answer.
type costOf func(r rune, size int) int

// costOnce counts a character as JSON writes it.
func costOnce(r rune, size int) int {
	switch {
	case r == '"' || r == '\\':
		return len(`\"`)
	case r >= ' ' && r < utf8.RuneSelf:
		return 1
	case r == '\n' || r == '\r' || r == '\t' || r == '\b' || r == '\f':
		return len(`\n`)
	case r < ' ' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError && size == 1:
		return len(`\u2028`)
	}
	return size
}

// costTwice counts it as JSON, and once more inside the text block, where the
// JSON's own quotes and backslashes are escaped again.
func costTwice(r rune, size int) int {
	once := costOnce(r, size)
	switch {
	case r == '"' || r == '\\':
		return once + 2*once
	case once > size: // an escape, with one backslash
		return once + once + 1
	}
	return once + once
}

// cut returns the longest start of s, whole characters, that costs room at
// most.
func cut(s string, room int, cost costOf) string {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if room -= cost(r, size); room < 0 {
			return s[:i]
		}
		i += size
	}
	return s
}

// cutLine is cut at the end of a line, where one ends in the second half of
// what fits: one endless line should not leave the note without its content.
func cutLine(s string, room int, cost costOf) string {
	start := cut(s, room, cost)
	if len(start) == len(s) {
		return s
	}
	for i := len(start); i > len(start)/2; i-- {
		if start[i-1] == '\n' {
			return start[:i]
		}
	}
	return start
}

// total returns what s costs, or limit+1 as soon as that is exceeded.
func total(s string, limit int, cost costOf) int {
	sum := 0
	for i := 0; i < len(s) && sum <= limit; {
		r, size := utf8.DecodeRuneInString(s[i:])
		sum += cost(r, size)
		i += size
	}
	return min(sum, limit+1)
}
