package tools

import (
	"fmt"
	"maps"
	"slices"

	"stratum"
	"stratum/internal/mcp"
)

// note encodes a NoteDocument within the budget (decision 7.1): whole and
// twice; else whole, with the text block saying where it is; else cut.
func note(doc stratum.NoteDocument, budget int) mcp.Result {
	r := mcp.Result{Structured: marshal(doc)}
	if r.Size() <= budget {
		return r
	}
	r.Text = fmt.Sprintf("The note %s has %d bytes, too many to be repeated as text: it is whole in structuredContent, its text under content.",
		doc.Path, len(doc.Content))
	if r.Size() <= budget {
		return r
	}
	return cutNote(doc, budget)
}

// titleMax is the most bytes of a title in a note that has to be cut.
const titleMax = 2 << 10

// cutNote shortens what a note may have without bound. The frontmatter gets a
// quarter of the room at most, the tags an eighth, the links a quarter or
// what the content leaves, the content the rest.
func cutNote(doc stratum.NoteDocument, budget int) mcp.Result {
	whole := doc
	doc.Truncated, doc.ContentBytes = true, len(whole.Content)
	doc.Title = cut(whole.Title, titleMax, costOnce)
	doc.Content, doc.Frontmatter, doc.Links, doc.Tags = "", map[string]any{}, []stratum.NoteLink{}, []string{}
	frame := mcp.Result{Structured: marshal(doc), Text: cutNotice(doc.Path, len(whole.Content), len(whole.Content))}
	room := max(0, budget-frame.Size())

	var used int
	doc.Frontmatter, used = cutMap(whole.Frontmatter, room/4)
	room -= used
	doc.Tags, used = cutItems(whole.Tags, room/8)
	room -= used
	doc.Links, used = cutItems(whole.Links, max(room/4, room-total(whole.Content, room, costOnce)))
	doc.Content = cutLine(whole.Content, room-used, costOnce)
	return mcp.Result{
		Structured: marshal(doc),
		Text:       cutNotice(doc.Path, len(doc.Content), len(whole.Content)),
	}
}

func cutNotice(path string, kept, whole int) string {
	return fmt.Sprintf("The note %s is too large for one answer. structuredContent has the first %d of the %d bytes of its content, and says truncated: true. Do not write it back like that.",
		path, kept, whole)
}

// cutItems keeps the first items whose JSON takes room bytes at most.
func cutItems[T any](items []T, room int) (kept []T, used int) {
	var e encoder
	for i := range items {
		size := len(e.encode(&items[i])) + len(",")
		if used+size > room {
			return items[:i:i], used
		}
		used += size
	}
	return items, used
}

// cutMap keeps the members, by key, whose JSON takes room bytes at most.
func cutMap(all map[string]any, room int) (kept map[string]any, used int) {
	kept = make(map[string]any)
	var e encoder
	for _, key := range slices.Sorted(maps.Keys(all)) {
		size := len(e.encode(key)) + len(":,")
		size += len(e.encode(all[key]))
		if used+size <= room {
			kept[key] = all[key]
			used += size
		}
	}
	return kept, used
}
