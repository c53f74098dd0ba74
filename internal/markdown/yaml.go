package markdown

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"
)

const (
	// maxYAMLDepth is how deep the values of frontmatter may nest.
	maxYAMLDepth = 100
	// expansionBase and expansionFactor bound what YAML aliases may expand to:
	// so many nodes and bytes, and so many times the text.
	expansionBase   = 1 << 16
	expansionFactor = 16
)

// parseYAML returns the root of the first document in text, nil when it is
// empty. It never panics.
func parseYAML(text string) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the YAML parser failed: %v", p)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, nil
	}
	root = doc.Content[0]
	if isNull(root) {
		return nil, nil
	}
	return root, nil
}

// converter turns YAML nodes into JSON values.
type converter struct{ budget int }

// value converts n, at the given depth of nesting.
func (c *converter) value(n *yaml.Node, depth int) (any, error) {
	c.budget -= 1 + len(n.Value)
	if c.budget < 0 {
		return nil, errors.New("its aliases expand to too much")
	}
	if depth > maxYAMLDepth {
		return nil, errors.New("it nests too deep")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.value(n.Alias, depth+1)
	case yaml.MappingNode:
		return c.mapping(n, depth)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, e := range n.Content {
			v, err := c.value(e, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	default:
		return scalar(n), nil
	}
}

// mapping converts the mapping n. The last of duplicate keys wins, and a key
// of the mapping itself wins over a merged one ("<<").
func (c *converter) mapping(n *yaml.Node, depth int) (map[string]any, error) {
	m := make(map[string]any, len(n.Content)/2)
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Tag == "!!merge" {
			merged = append(merged, v)
			continue
		}
		key, err := c.key(k, depth)
		if err != nil {
			return nil, err
		}
		if m[key], err = c.value(v, depth+1); err != nil {
			return nil, err
		}
	}
	for _, v := range merged {
		if err := c.merge(m, v, depth+1); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// merge adds to m the keys that it lacks of the mapping v, or of a list of
// mappings.
func (c *converter) merge(m map[string]any, v *yaml.Node, depth int) error {
	got, err := c.value(v, depth)
	if err != nil {
		return err
	}
	list, ok := got.([]any)
	if !ok {
		list = []any{got}
	}
	for _, e := range list {
		from, ok := e.(map[string]any)
		if !ok {
			return errors.New(`a "<<" key merges what is no mapping`)
		}
		for k, v := range from {
			if _, has := m[k]; !has {
				m[k] = v
			}
		}
	}
	return nil
}

// key returns the key k as text; that of a list or mapping is its JSON.
func (c *converter) key(k *yaml.Node, depth int) (string, error) {
	v, err := c.value(k, depth+1)
	if err != nil {
		return "", err
	}
	switch r := resolve(k); r.Kind {
	case yaml.ScalarNode:
		return r.Value, nil
	default:
		text, err := json.Marshal(v)
		return string(text), err
	}
}

// scalar converts a scalar. Dates, and numbers that JSON cannot hold, stay
// text (decision 5.6).
func scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
	default:
		return n.Value
	}
	var v any
	if n.Decode(&v) != nil {
		return n.Value
	}
	switch v := v.(type) {
	case bool:
		return v
	case int:
		return int64(v)
	case int64:
		return v
	case uint64:
		return v
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
	return n.Value
}

// lookup returns the value of the last key of the mapping n that is spelled
// key; nil when there is none.
func lookup(n *yaml.Node, key string) *yaml.Node {
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return resolve(n.Content[i+1])
		}
	}
	return nil
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; n.Kind == yaml.AliasNode && i < maxYAMLDepth; i++ {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
