package markdown

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"stratum"
)

// frontmatter is the YAML at the start of a note.
type frontmatter struct {
	span stratum.Span // both fences and the newline after the closing one
	yaml stratum.Span // what stands between the fences' lines
}

// splitFrontmatter finds the frontmatter of src, whose text begins at offset
// at, after a BOM. Blank lines may stand before it (vault-format §3).
func splitFrontmatter(src string, at int) (frontmatter, bool) {
	for at < len(src) {
		l := readLine(src, at)
		if !l.blank {
			break
		}
		at = l.next
	}
	if !isFence(src, at) {
		return frontmatter{}, false
	}
	fm := frontmatter{span: stratum.Span{Start: at}}
	fm.yaml.Start = readLine(src, at).next
	for i := fm.yaml.Start; i < len(src); {
		if isFence(src, i) {
			fm.yaml.End, fm.span.End = i, readLine(src, i).next
			return fm, true
		}
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return frontmatter{}, false
}

// isFence reports whether "---" alone stands on the line that begins at at.
func isFence(src string, at int) bool {
	if !strings.HasPrefix(src[at:], "---") {
		return false
	}
	for i := at + 3; i < len(src); i++ {
		switch src[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// frontmatter reads the note's fields from fm.
func (s *scanner) frontmatter(fm frontmatter) {
	n := s.note
	text := s.src[fm.yaml.Start:fm.yaml.End]
	root, err := parseYAML(text)
	if err == nil {
		err = s.fields(root, text)
	}
	if err != nil {
		n.Frontmatter = map[string]any{}
		n.Title, n.Aliases, s.tags = "", nil, tagSet{}
		n.FrontmatterErr = fmt.Errorf("parse frontmatter: %w", err)
	}
	n.FrontmatterTags = slices.Clip(s.tags.list)
	if strings.Contains(text, "[[") {
		s.frontmatterLinks(fm, root)
	}
}

// fields converts the mapping root, the YAML in text.
func (s *scanner) fields(root *yaml.Node, text string) error {
	if root == nil {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		return errors.New("it is no mapping of keys to values")
	}
	c := converter{budget: expansionBase + expansionFactor*len(text)}
	fields, err := c.mapping(root, 0)
	if err != nil {
		return err
	}
	n := s.note
	n.Frontmatter = fields
	if v := lookup(root, "title"); v != nil && v.Kind == yaml.ScalarNode && !isNull(v) {
		n.Title = strings.TrimSpace(v.Value)
		fields["title"] = v.Value
	}
	for _, key := range []string{"tags", "tag"} {
		if v := lookup(root, key); v != nil {
			list := tagNames(v)
			if key == "tags" {
				fields[key] = list
			}
			for _, t := range list {
				s.tags.add(t)
			}
		}
	}
	for _, key := range []string{"aliases", "alias"} {
		if v := lookup(root, key); v != nil {
			list := aliasNames(v)
			if key == "aliases" {
				fields[key] = list
			}
			n.Aliases = append(n.Aliases, list...)
		}
	}
	return nil
}

// tagNames returns the tags that v holds: a list, one scalar, or a string with
// commas or spaces between (decision 6.3).
func tagNames(v *yaml.Node) []string {
	return names(v, func(s string) []string {
		return strings.FieldsFunc(s, isTagSeparator)
	}, trimTag)
}

// isTagSeparator reports whether r stands between the tags of a string.
func isTagSeparator(r rune) bool {
	return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
}

// aliasNames returns the aliases that v holds: a list, or one scalar with
// commas between.
func aliasNames(v *yaml.Node) []string {
	return names(v, func(s string) []string { return strings.Split(s, ",") }, strings.TrimSpace)
}

// names returns the cleaned names of a list's scalars, or those of one scalar
// cut by split. It is never nil.
func names(v *yaml.Node, split func(string) []string, clean func(string) string) []string {
	list := []string{}
	add := func(s string) {
		if s = clean(s); s != "" {
			list = append(list, s)
		}
	}
	switch v = resolve(v); v.Kind {
	case yaml.ScalarNode:
		if !isNull(v) {
			for _, s := range split(v.Value) {
				add(s)
			}
		}
	case yaml.SequenceNode:
		for _, e := range v.Content {
			if e = resolve(e); e.Kind == yaml.ScalarNode && !isNull(e) {
				add(e.Value)
			}
		}
	}
	return list
}
