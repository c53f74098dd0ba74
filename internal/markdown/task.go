package markdown

import (
	"strings"

	"github.com/google/uuid"
)

// marker returns the canonical task marker that s spells, or "".
func marker(s string) string {
	switch s {
	case "TODO", "DOING", "DONE", "NOW", "LATER", "WAITING", "CANCELLED":
		return s
	case "CANCELED":
		return "CANCELLED"
	}
	return ""
}

// priority returns s when it is a priority letter, or "".
func priority(s string) string {
	if s == "A" || s == "B" || s == "C" {
		return s
	}
	return ""
}

// task reads an optional priority letter and a marker word at the start of s,
// as in "A TODO write it". It returns an empty mark where there is none.
func task(s string) (prio, mark, rest string) {
	// The seven markers begin with one of these letters, so text fails early.
	if s == "" || strings.IndexByte("ABCTDNLW", s[0]) < 0 {
		return "", "", s
	}
	rest = s
	if len(s) > 2 && s[1] == ' ' && priority(s[:1]) != "" {
		prio, rest = s[:1], strings.TrimLeft(s[2:], " \t")
	}
	word := rest
	if i := strings.IndexAny(word, " \t\r\n"); i >= 0 {
		word = word[:i]
	}
	mark = marker(word)
	if mark == "" {
		return "", "", s
	}
	return prio, mark, strings.TrimLeft(rest[len(word):], " \t\r\n")
}

// isTask reports whether s, a line's text, begins with a task marker.
func isTask(s string) bool {
	_, mark, _ := task(s)
	return mark != ""
}

// property reads ".key: value" or ".key:: value" from s, a line's text. A
// space must follow the colon, except after the keys of a block's own fields.
func property(s string) (key, value string, ok bool) {
	if len(s) < 3 || s[0] != '.' {
		return "", "", false
	}
	colon := strings.IndexByte(s, ':')
	if colon < 2 {
		return "", "", false
	}
	key = s[1:colon]
	if strings.ContainsAny(key, " \t.`[](){}<>\"") {
		return "", "", false
	}
	value = s[colon+1:]
	value = strings.TrimPrefix(value, ":")
	if value != "" && value[0] != ' ' && value[0] != '\t' && !isField(key) {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}

func isField(key string) bool {
	switch key {
	case "id", "marker", "priority", "heading-level", "heading", "collapsed":
		return true
	}
	return false
}

// parseUUID returns the canonical lower-case form of the UUID s.
func parseUUID(s string) (string, bool) {
	id, err := uuid.Parse(s)
	if err != nil {
		return "", false
	}
	return id.String(), true
}
