package graph

import (
	"hash/maphash"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"stratum"
	"stratum/internal/text"
)

// Names and link targets meet in hash tables under loose keys: one case, one
// Unicode form, dashes for spaces. A note stands under the keys of its path
// and all of the path's tails, its title and its aliases; a target under
// those of the texts that a rule of decision 6.2 could match. Whoever is under
// no common key cannot match, so a lookup reads one or two buckets, and a
// changed name concerns only the targets under its keys.

var seed = maphash.MakeSeed()

// loosen returns the text whose hash is the loose key of s.
func loosen(s string) string {
	return dashed(text.FoldCase(s))
}

func dashed(s string) string { return strings.ReplaceAll(s, " ", "-") }

func hashOf(loose string) uint32 {
	return uint32(maphash.String(seed, loose))
}

// keys returns the loose keys of a note's names, sorted, each once.
func (n *note) keys() []uint32 {
	keys := make([]uint32, 0, 2+len(n.aliases))
	for tail := loosen(n.path.Slug()); ; {
		keys = append(keys, hashOf(tail))
		i := strings.IndexByte(tail, '/')
		if i < 0 {
			break
		}
		tail = tail[i+1:]
	}
	if title := strings.TrimSpace(n.title); title != "" {
		keys = append(keys, hashOf(loosen(title)))
	}
	for _, a := range n.aliases {
		if a = strings.TrimSpace(a); a != "" {
			keys = append(keys, hashOf(loosen(a)))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// sameNames reports whether links find m just as they find n.
func (n *note) sameNames(m *note) bool {
	return n.path == m.path && n.title == m.title && slices.Equal(n.aliases, m.aliases)
}

// query is a link target prepared for matching: as written and, where that
// differs, percent-decoded. It matches nothing when it has no form.
type query struct {
	forms    []form
	relative bool // the forms are paths from the vault's root
}

type form struct {
	text    string
	bare    string // text without ".md", or ""
	decoded bool
	depth   int // number of components
}

func isRelative(page string) bool {
	return strings.HasPrefix(page, "./") || strings.HasPrefix(page, "../")
}

// queryOf prepares the page part of a target in a note of folder dir.
func queryOf(page, dir string) query {
	q := query{relative: isRelative(page)}
	if q.relative {
		page = join(dir, page)
	}
	if page == "" {
		return q
	}
	q.forms = append(make([]form, 0, 2), formOf(page, false))
	if plain := percentDecoded(page); plain != page {
		q.forms = append(q.forms, formOf(plain, true))
	}
	return q
}

// join returns the path from the vault's root that page is relative to dir;
// "" where it leaves the vault or names a folder above.
func join(dir, page string) string {
	p := path.Join(dir, page)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

func formOf(s string, decoded bool) form {
	f := form{text: s, decoded: decoded, depth: 1 + strings.Count(s, "/")}
	if n := len(s) - len(stratum.NoteExt); n > 0 && strings.EqualFold(s[n:], stratum.NoteExt) {
		f.bare = s[:n]
	}
	return f
}

// percentDecoded returns s where it is no percent-encoding of a text.
func percentDecoded(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	plain, err := url.PathUnescape(s)
	if err != nil || !utf8.ValidString(plain) {
		return s
	}
	if plain = strings.TrimSpace(plain); plain == "" {
		return s
	}
	return plain
}

// keys returns the loose keys under which notes that match may stand.
func (q *query) keys() []uint32 {
	keys := make([]uint32, 0, 2)
	for _, f := range q.forms {
		loose := loosen(f.text)
		keys = append(keys, hashOf(loose))
		if f.bare != "" {
			keys = append(keys, hashOf(loose[:len(loose)-len(stratum.NoteExt)]))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// places returns the keys under which the target itself is kept: those of q,
// or one of its own where it can match nothing.
func (q *query) places(page, dir string) []uint32 {
	if keys := q.keys(); len(keys) > 0 {
		return keys
	}
	return []uint32{hashOf(page + "\x00" + dir)}
}

// sameFold reports whether a and b are equal but for case and Unicode form.
func sameFold(a, b string) bool {
	if a == b {
		return true
	}
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
			return text.FoldCase(a) == text.FoldCase(b)
		}
		if lower(x) != lower(y) {
			// A non-ASCII letter further on may fold to ASCII, but never
			// reaches back over a pair of ASCII characters that differ.
			return false
		}
	}
	return len(a) == len(b) || text.FoldCase(a) == text.FoldCase(b)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// sameForm reports whether a and b are equal but for their Unicode form.
func sameForm(a, b string) bool {
	return a == b || norm.NFC.String(a) == norm.NFC.String(b)
}

// tail returns the last depth components of slug; "" where it has fewer.
func tail(slug string, depth int) string {
	for i := len(slug) - 1; i >= 0; i-- {
		if slug[i] == '/' {
			if depth--; depth == 0 {
				return slug[i+1:]
			}
		}
	}
	if depth == 1 {
		return slug
	}
	return ""
}
