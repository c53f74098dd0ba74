package markdown

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stratum"
)

// AddTag adds tag to the frontmatter of src, in the style it finds there
// (contract §5.13, decision 6.3). A tag that the note has, in its frontmatter
// or inline, leaves src as it is and applied 0. InvalidArgs when the
// frontmatter cannot be edited without doubt.
func AddTag(src, tag string) (out string, applied int, err error) {
	tag, err = editableTag(tag)
	if err != nil {
		return src, 0, err
	}
	old := Parse(src)
	if old.FrontmatterErr != nil {
		return src, 0, notEditable("it does not parse as a YAML mapping", old.FrontmatterErr)
	}
	if hasTag(old.Tags, tag) {
		return src, 0, nil
	}
	want := append(slices.Clone(old.FrontmatterTags), tag)
	var refusal error = notEditable("the edit could not be shown to be safe", nil)
	for _, spelling := range spellings(tag) {
		e, err := newYAMLEdit(src, old)
		if err == nil {
			err = e.add(spelling)
		}
		if err != nil {
			refusal = err
			continue
		}
		out := e.apply()
		if e.verify(out, want) {
			return out, 1, nil
		}
	}
	return src, 0, refusal
}

// RemoveTag removes tag from the frontmatter of src and every inline tag that
// is spelled so (contract §5.14, decision 6.3). applied counts both; 0 leaves
// src as it is. InvalidArgs when that cannot be done without doubt.
func RemoveTag(src, tag string) (out string, applied int, err error) {
	tag, err = CleanTag(tag)
	if err != nil {
		return src, 0, err
	}
	var inline []occurrence
	old := parse(src, &inline)
	if old.FrontmatterErr != nil {
		return src, 0, notEditable("it does not parse as a YAML mapping", old.FrontmatterErr)
	}
	if !hasTag(old.Tags, tag) {
		return src, 0, nil
	}
	e, err := newYAMLEdit(src, old)
	if err != nil {
		return src, 0, err
	}
	if hasTag(old.FrontmatterTags, tag) {
		if err := e.remove(tag); err != nil {
			return src, 0, err
		}
	}
	isIt := func(o occurrence) bool { return sameTag(o.name, tag) }
	gone := slices.DeleteFunc(slices.Clone(inline), func(o occurrence) bool { return !isIt(o) })
	kept := slices.DeleteFunc(inline, isIt)
	want := slices.DeleteFunc(slices.Clone(old.FrontmatterTags), func(t string) bool { return sameTag(t, tag) })

	for _, careful := range []bool{true, false} {
		body := removals(src, gone, careful)
		out := apply(src, append(slices.Clone(e.patches), body...))
		if e.verify(out, want) && sameInline(out, kept, old.Links) {
			return out, e.count + len(gone), nil
		}
	}
	return src, 0, &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: "The tag was not removed: the text around it would come to mean something else.",
		Hint:    "Read the note with kb_get_page, take the tag out of its content and save that with kb_write_page.",
	}
}

// sameInline reports whether out has the inline tags kept and the links, in
// order, and nothing else.
func sameInline(out string, kept []occurrence, links []stratum.Link) bool {
	var now []occurrence
	note := parse(out, &now)
	return slices.EqualFunc(now, kept, func(a, b occurrence) bool { return a.name == b.name }) &&
		slices.EqualFunc(note.Links, links, func(a, b stratum.Link) bool {
			return a.Target == b.Target && a.Display == b.Display && a.Embed == b.Embed
		})
}

// sameTags reports whether a and b hold the same tags, spelled alike.
func sameTags(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func hasTag(list []string, tag string) bool {
	key := foldTag(tag)
	return slices.ContainsFunc(list, func(t string) bool { return foldTag(t) == key })
}

// editableTag is [CleanTag] for a tag that is to be written. White space and
// commas would make it two tags.
func editableTag(tag string) (string, error) {
	tag, err := CleanTag(tag)
	if err != nil {
		return "", err
	}
	bad := func(r rune) bool { return r == ',' || unicode.IsSpace(r) || unicode.IsControl(r) }
	if !utf8.ValidString(tag) || strings.ContainsFunc(tag, bad) {
		return "", &stratum.Error{
			Kind:    stratum.InvalidArgs,
			Message: "The tag holds white space, a comma or a control character.",
			Hint:    "Join the words of a tag with - or _ and add several tags one by one.",
		}
	}
	return tag, nil
}

// notEditable is the refusal to edit a note's frontmatter because of why.
func notEditable(why string, cause error) *stratum.Error {
	return &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: fmt.Sprintf("The note's frontmatter cannot be edited safely: %s. Nothing was changed.", why),
		Hint:    "Read the note with kb_get_page, correct the YAML between its --- lines and save it with kb_write_page.",
		Cause:   cause,
	}
}

// patch replaces src[start:end] by text.
type patch struct {
	start, end int
	text       string
}

// apply returns src with the patches, which must not overlap.
func apply(src string, patches []patch) string {
	slices.SortStableFunc(patches, func(a, b patch) int { return a.start - b.start })
	var out strings.Builder
	out.Grow(len(src) + 16*len(patches))
	at := 0
	for _, p := range patches {
		out.WriteString(src[at:max(at, p.start)])
		out.WriteString(p.text)
		at = max(at, p.end)
	}
	out.WriteString(src[at:])
	return out.String()
}

// verify reports whether the frontmatter of out has exactly the tags want and
// is otherwise that of the edit's note, and what stands before it is the same.
// Where the frontmatter alone was edited, the body must be the same too.
func (e *yamlEdit) verify(out string, want []string) bool {
	now := Parse(out)
	if now.FrontmatterErr != nil || !sameTags(now.FrontmatterTags, want) {
		return false
	}
	if now.Title != e.note.Title || !slices.Equal(now.Aliases, e.note.Aliases) || !e.sameKeys(now.Frontmatter) {
		return false
	}
	start := e.note.FrontmatterSpan.Start
	if e.note.FrontmatterSpan.Len() == 0 {
		if len(e.patches) == 0 {
			return now.FrontmatterSpan.Len() == 0
		}
		start = e.bodyStart()
	}
	if now.FrontmatterSpan.Start != start || out[:start] != e.src[:start] {
		return false
	}
	grown := len(apply(e.src, slices.Clone(e.patches))) - len(e.src)
	return now.FrontmatterSpan.End == e.note.FrontmatterSpan.End+grown+e.bodyStartIfNone()
}

// sameKeys reports whether every key but those of the tags is as it was.
func (e *yamlEdit) sameKeys(now map[string]any) bool {
	for _, m := range []map[string]any{now, e.note.Frontmatter} {
		for k := range m {
			if k == "tags" || k == "tag" {
				continue
			}
			a, hasA := now[k]
			b, hasB := e.note.Frontmatter[k]
			if hasA != hasB || !reflect.DeepEqual(a, b) {
				return false
			}
		}
	}
	return true
}
