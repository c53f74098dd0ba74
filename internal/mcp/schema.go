package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"stratum"
)

// schema checks the arguments of one tool (decision 1.7).
type schema struct {
	tool     string
	raw      json.RawMessage // compact, keys in the order of the source
	compiled *jsonschema.Schema
	props    []property // in the order of the source
	usage    string     // the properties in one line, for hints
}

type property struct {
	name    string
	integer bool            // its type is integer
	preset  json.RawMessage // its default, or nil
}

func compileSchema(name string, source json.RawMessage) (*schema, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, source); err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	url := "schema:///" + name + ".json"
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, err
	}
	s := &schema{tool: name, raw: compact.Bytes()}
	if s.compiled, err = compiler.Compile(url); err != nil {
		return nil, err
	}
	return s, s.readProperties()
}

// readProperties reads what the compiled schema does not keep in order.
func (s *schema) readProperties() error {
	if s.raw[0] != '{' {
		return errors.New("a tool's schema must be an object")
	}
	top, _, _ := object(s.raw)
	required := find(top, "required")
	var must []string
	if required != nil {
		if err := json.Unmarshal(required, &must); err != nil {
			return fmt.Errorf("required: %w", err)
		}
	}
	raw := find(top, "properties")
	if raw == nil || raw[0] != '{' {
		raw = emptyObject
	}
	members, _, _ := object(raw)
	var usage []string
	for _, m := range members {
		if m.value[0] != '{' {
			return fmt.Errorf("property %s: not an object", m.key)
		}
		keywords, _, _ := object(m.value)
		s.props = append(s.props, property{
			name:    m.key,
			integer: string(find(keywords, "type")) == `"integer"`,
			preset:  find(keywords, "default"),
		})
		usage = append(usage, describeProperty(m.key, keywords, must))
	}
	s.usage = "It takes no arguments."
	if len(usage) > 0 {
		s.usage = "It takes " + strings.Join(usage, "; ") + "."
	}
	return nil
}

// describeProperty tells one property in a few words, as in "limit (integer,
// 1 to 1000, default 20)".
func describeProperty(name string, keywords []member, required []string) string {
	words := []string{strings.NewReplacer(`"`, "", "[", "", "]", "", ",", " or ").Replace(string(find(keywords, "type")))}
	if enum := find(keywords, "enum"); enum != nil {
		values, _ := array(enum, len(enum))
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = string(v)
		}
		words = append(words, "one of "+strings.Join(texts, " "))
	}
	low, high := find(keywords, "minimum"), find(keywords, "maximum")
	switch {
	case low != nil && high != nil:
		words = append(words, string(low)+" to "+string(high))
	case low != nil:
		words = append(words, "at least "+string(low))
	}
	for _, r := range required {
		if r == name {
			words = append(words, "required")
		}
	}
	if preset := find(keywords, "default"); preset != nil {
		words = append(words, "default "+string(preset))
	}
	return name + " (" + strings.Join(words, ", ") + ")"
}

// check returns the arguments with the defaults filled in. Its errors take
// room bytes at most.
func (s *schema) check(arguments json.RawMessage, room int) (json.RawMessage, *stratum.Error) {
	arguments = bytes.Trim(arguments, " \t\r\n")
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = emptyObject
	}
	if f := findFlaw(arguments); f != nil {
		return nil, s.refuse([]stratum.FieldError{{Path: f.path, Message: f.why}}, room)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return nil, s.refuse([]stratum.FieldError{{Message: "is not readable JSON"}}, room)
	}
	if err := s.compiled.Validate(value); err != nil {
		return nil, s.refuse(s.explain(err), room)
	}
	return s.complete(arguments), nil
}

// complete writes integers as plain digits and appends missing defaults. What
// needs neither is returned as it is.
func (s *schema) complete(arguments json.RawMessage) json.RawMessage {
	members, _, _ := object(arguments)
	changed := false
	for _, p := range s.props {
		switch raw := find(members, p.name); {
		case raw == nil && p.preset != nil:
			members = append(members, member{p.name, p.preset})
			changed = true
		case raw != nil && p.integer:
			if plain := plainInteger(raw); string(plain) != string(raw) {
				for i := range members {
					if members[i].key == p.name {
						members[i].value = plain
					}
				}
				changed = true
			}
		}
	}
	if !changed {
		return arguments
	}
	b := append(make([]byte, 0, len(arguments)+64), '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quote(m.key)...), ':')
		b = append(b, m.value...)
	}
	return append(b, '}')
}

// integerMax bounds integers to what every reader of JSON holds exactly;
// larger ones mean the same to every tool.
var integerMax = big.NewInt(1 << 53)

// plainInteger writes a number that the schema took for an integer, such as
// 10.0 or 1e3, as digits.
func plainInteger(raw json.RawMessage) json.RawMessage {
	if len(raw) < 16 && !bytes.ContainsAny(raw, ".eE") {
		return raw
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok {
		return raw
	}
	n := r.Num()
	if n.CmpAbs(integerMax) > 0 {
		sign := n.Sign()
		n = new(big.Int).Set(integerMax)
		if sign < 0 {
			n.Neg(n)
		}
	}
	return json.RawMessage(n.String())
}
