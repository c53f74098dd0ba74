package mcp

import (
	"slices"
	"strings"
)

// nameMax is the longest name, in bytes, that is repeated or compared.
const nameMax = 64

// shown returns a client's name for a message. What could be a path of the
// client's machine, or is no name at all, is not repeated (decision 5.3).
func shown(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./$", r)
	}
	if name == "" || len(name) > nameMax || name[0] == '/' ||
		strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return "of that name"
	}
	return name
}

// didYouMean names those that are close to what the client wrote, as a
// sentence that starts with a space; "" when there is none.
func didYouMean(name string, known []string) string {
	names := closest(name, known)
	if len(names) == 0 {
		return ""
	}
	return " Did you mean " + strings.Join(names, " or ") + "?"
}

// closest returns up to three of known that differ from name by a third of
// their letters at most, nearest first. "kb_" in front, case, and dashes for
// underscores do not count.
func closest(name string, known []string) []string {
	if len(name) > nameMax {
		return nil
	}
	type near struct {
		name     string
		distance int
	}
	var found []near
	plain := func(s string) string {
		return strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(s), "-", "_"), "kb_")
	}
	for _, k := range known {
		a, b := plain(name), plain(k)
		d := editDistance(a, b)
		if len(a) >= 3 && (strings.Contains(b, a) || strings.Contains(a, b)) {
			d = min(d, 1)
		}
		if d <= max(1, max(len(a), len(b))/3) {
			found = append(found, near{k, d})
		}
	}
	slices.SortStableFunc(found, func(x, y near) int { return x.distance - y.distance })
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// editDistance counts the bytes to insert, delete or replace to turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
