package markdown

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"stratum"
)

// yamlEdit edits the tags in a note's frontmatter by patches to its lines,
// guided by the positions of the YAML parser's nodes.
type yamlEdit struct {
	src     string
	note    *stratum.Note
	fm      frontmatter // zero when the note has none
	root    *yaml.Node  // nil when it is empty
	table   *lineTable
	newline string

	patches []patch
	count   int // tags removed
}

// newYAMLEdit begins to edit the frontmatter of src, which parses.
func newYAMLEdit(src string, note *stratum.Note) (*yamlEdit, error) {
	e := &yamlEdit{src: src, note: note, newline: "\n"}
	if i := strings.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		e.newline = "\r\n"
	}
	fm, ok := splitFrontmatter(src, e.bodyStart())
	if !ok {
		return e, nil
	}
	root, err := parseYAML(src[fm.yaml.Start:fm.yaml.End])
	if err != nil {
		return nil, notEditable("its YAML does not parse", err)
	}
	e.fm, e.root, e.table = fm, root, newLineTable(src, fm.yaml)
	return e, nil
}

// bodyStart is where a note's text begins: after a BOM.
func (e *yamlEdit) bodyStart() int {
	if strings.HasPrefix(e.src, bom) {
		return len(bom)
	}
	return 0
}

// bodyStartIfNone is bodyStart where there was no frontmatter, else 0.
func (e *yamlEdit) bodyStartIfNone() int {
	if e.note.FrontmatterSpan.Len() == 0 && len(e.patches) > 0 {
		return e.bodyStart()
	}
	return 0
}

func (e *yamlEdit) apply() string { return apply(e.src, e.patches) }

func (e *yamlEdit) replace(start, end int, text string) {
	e.patches = append(e.patches, patch{start, end, text})
}

// spelling is a tag as it may be written in YAML.
type spelling struct {
	tag   string
	quote bool // it must be quoted
}

// spellings returns the ways to write tag, the plainest first.
func spellings(tag string) []spelling {
	if isPlain(tag) {
		return []spelling{{tag, false}, {tag, true}}
	}
	return []spelling{{tag, true}}
}

// isPlain reports whether every YAML parser reads the unquoted tag as text.
func isPlain(tag string) bool {
	switch strings.ToLower(tag) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	for i := range len(tag) {
		if c := tag[i]; c < utf8.RuneSelf && !isLetter(c) && !isDigit(c) && strings.IndexByte("_-/.", c) < 0 {
			return false
		}
	}
	if c := tag[0]; isDigit(c) || c == '-' || c == '.' {
		// Numbers and dates in all their forms; "-" and "..." mean other things.
		if strings.Trim(tag, "0123456789abcdefABCDEFxXoO_.-/") == "" || c == '-' && len(tag) == 1 {
			return false
		}
	}
	n := yaml.Node{Kind: yaml.ScalarNode, Value: tag}
	return n.ShortTag() == "!!str"
}

// in returns the tag in the quotes of style; plain where it may be.
func (s spelling) in(style yaml.Style) string {
	switch {
	case style&yaml.SingleQuotedStyle != 0:
		return "'" + strings.ReplaceAll(s.tag, "'", "''") + "'"
	case style&yaml.DoubleQuotedStyle != 0 || s.quote:
		return `"` + escapeDouble(s.tag) + `"`
	}
	return s.tag
}

func escapeDouble(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// value returns the key and the value of the last entry that is spelled name.
func (e *yamlEdit) value(name string) (key, v *yaml.Node) {
	if e.root == nil {
		return nil, nil
	}
	for i := len(e.root.Content) - 2; i >= 0; i -= 2 {
		if k := e.root.Content[i]; k.Kind == yaml.ScalarNode && k.Value == name {
			return k, e.root.Content[i+1]
		}
	}
	return nil, nil
}

// check refuses frontmatter whose keys are not certain.
func (e *yamlEdit) check() error {
	if e.root == nil {
		return nil
	}
	if e.root.Style&yaml.FlowStyle != 0 {
		return notEditable("it is written in braces", nil)
	}
	seen := map[string]bool{}
	for i := 0; i < len(e.root.Content); i += 2 {
		k := e.root.Content[i].Value
		if seen[k] {
			return notEditable("the key "+k+" stands in it twice", nil)
		}
		seen[k] = true
	}
	return nil
}

// checkValue refuses a value v of the tags that is shared, typed or tabbed.
func (e *yamlEdit) checkValue(key, v *yaml.Node) error {
	if v.Kind == yaml.AliasNode || v.Anchor != "" || v.Style&yaml.TaggedStyle != 0 {
		return notEditable("its tags use a YAML anchor, alias or type", nil)
	}
	for _, c := range v.Content {
		if c.Kind == yaml.AliasNode || c.Anchor != "" || c.Style&yaml.TaggedStyle != 0 {
			return notEditable("its tags use a YAML anchor, alias or type", nil)
		}
	}
	at := e.table.offset(key)
	last := max(key.Line, v.Line)
	for _, c := range v.Content {
		last = max(last, c.Line)
	}
	end := e.fm.yaml.End
	if last < len(e.table.start) {
		end = e.table.start[last]
	}
	if at < 0 || strings.IndexByte(e.src[at:end], '\t') >= 0 {
		return notEditable("its tags are set out with tabs", nil)
	}
	return nil
}

// add adds the tag to the key "tags", which it appends when there is none.
func (e *yamlEdit) add(s spelling) error {
	indent := e.keyIndent()
	entry := indent + "tags:" + e.newline + indent + "  - " + s.in(0) + e.newline
	if e.fm.span.Len() == 0 {
		at := e.bodyStart()
		e.replace(at, at, "---"+e.newline+entry+"---"+e.newline)
		return nil
	}
	if err := e.check(); err != nil {
		return err
	}
	key, v := e.value("tags")
	if v == nil {
		e.replace(e.fm.yaml.End, e.fm.yaml.End, entry)
		return nil
	}
	if err := e.checkValue(key, v); err != nil {
		return err
	}
	switch {
	case v.Kind == yaml.ScalarNode && (isNull(v) || strings.TrimSpace(v.Value) == ""):
		return e.addToEmpty(key, v, s)
	case v.Kind == yaml.ScalarNode:
		return e.addToString(v, s)
	case v.Kind == yaml.SequenceNode && v.Style&yaml.FlowStyle != 0:
		return e.addToFlow(v, s)
	case v.Kind == yaml.SequenceNode:
		return e.addToBlock(v, s)
	}
	return notEditable("its tags are no list", nil)
}

// keyIndent returns what stands before each key of the frontmatter.
func (e *yamlEdit) keyIndent() string {
	if e.root == nil || e.root.Column < 1 {
		return ""
	}
	return strings.Repeat(" ", e.root.Column-1)
}

// remove removes every spelling of tag from the keys "tags" and "tag".
func (e *yamlEdit) remove(tag string) error {
	if err := e.check(); err != nil {
		return err
	}
	for _, name := range []string{"tags", "tag"} {
		key, v := e.value(name)
		if v == nil || !hasTag(tagNames(v), tag) {
			continue
		}
		if err := e.checkValue(key, v); err != nil {
			return err
		}
		var err error
		switch {
		case v.Kind == yaml.ScalarNode:
			err = e.removeFromString(v, tag)
		case v.Style&yaml.FlowStyle != 0:
			err = e.removeFromFlow(v, tag)
		default:
			err = e.removeFromBlock(key, v, tag)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isItem reports whether n, an element of a list, is the tag.
func isItem(n *yaml.Node, tag string) bool {
	return n.Kind == yaml.ScalarNode && !isNull(n) && sameTag(trimTag(n.Value), tag)
}
