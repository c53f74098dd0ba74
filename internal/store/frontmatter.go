package store

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"stratum"
)

// The app reads pages.frontmatter as an object with three optional strings,
// two lists of strings and anything else beside them. One row that it cannot
// read makes its graph fail for the whole vault, so what is written here
// always has this shape.
const (
	keyTitle    = "title"
	keyCreated  = "created"
	keyModified = "modified"
	keyTags     = "tags"
	keyAliases  = "aliases"
)

// depthMax is how deep lists and maps may nest; the app's JSON reader gives up
// at 128.
const depthMax = 100

// encodeFrontmatter returns the JSON of a note's frontmatter.
func encodeFrontmatter(n *stratum.Note) string {
	fm := make(map[string]any, len(n.Frontmatter)+5)
	for k, v := range n.Frontmatter {
		fm[clean(k)] = portable(v, 1)
	}
	fm[keyTitle] = nil
	if n.Title != "" {
		fm[keyTitle] = clean(n.Title)
	}
	fm[keyCreated] = scalarText(n.Frontmatter[keyCreated])
	fm[keyModified] = scalarText(n.Frontmatter[keyModified])
	fm[keyTags] = stringList(n.Frontmatter[keyTags])
	fm[keyAliases] = stringList(n.Frontmatter[keyAliases])
	return encodeJSON(fm)
}

// portable returns a frontmatter value as JSON can hold it and the app can
// read it: what is no number of JSON's, and what nests too deep, is null. A
// whole number is an integer however it was written.
func portable(v any, depth int) any {
	switch v := v.(type) {
	case nil, bool, int64, uint64:
		return v
	case string:
		return clean(v)
	case int:
		return int64(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
		return v
	case []string:
		return stringList(v)
	case []any:
		if depth >= depthMax {
			return nil
		}
		list := make([]any, len(v))
		for i := range v {
			list[i] = portable(v[i], depth+1)
		}
		return list
	case map[string]any:
		if depth >= depthMax {
			return nil
		}
		object := make(map[string]any, len(v))
		for k := range v {
			object[clean(k)] = portable(v[k], depth+1)
		}
		return object
	default:
		return nil
	}
}

// scalarText returns a scalar as text, and nil for anything else.
func scalarText(v any) any {
	switch v := v.(type) {
	case string:
		return clean(v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return nil
	}
}

// stringList returns a list of strings, empty where v is none.
func stringList(v any) []string {
	list := []string{}
	switch v := v.(type) {
	case []string:
		for _, s := range v {
			list = append(list, clean(s))
		}
	case []any:
		for _, e := range v {
			if s, ok := scalarText(e).(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// canonicalFrontmatter returns a row's frontmatter as encodeFrontmatter would
// have written it; not ok when the app cannot read it.
func canonicalFrontmatter(text string) (canonical string, ok bool) {
	fm := map[string]any{keyTitle: nil, keyCreated: nil, keyModified: nil, keyTags: []string{}, keyAliases: []string{}}
	seen := map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return "", false
	}
	for dec.More() {
		t, err := dec.Token()
		key, isKey := t.(string)
		if err != nil || !isKey || seen[key] {
			return "", false
		}
		seen[key] = true
		var v any
		if err := dec.Decode(&v); err != nil {
			return "", false
		}
		if fm[key], ok = readable(key, v); !ok {
			return "", false
		}
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('}') || !atEnd(dec) {
		return "", false
	}
	return encodeJSON(fm), true
}

// readable returns the value of a row's key as encodeFrontmatter would write
// it; not ok when the app's type has no room for it.
func readable(key string, v any) (any, bool) {
	switch key {
	case keyTitle, keyCreated, keyModified:
		_, isString := v.(string)
		return v, isString || v == nil
	case keyTags, keyAliases:
		list, isList := v.([]any)
		for _, e := range list {
			if _, isString := e.(string); !isString {
				return nil, false
			}
		}
		return v, isList
	default:
		return withNumbers(v, 1)
	}
}

// withNumbers turns the numbers of a decoded value into those that portable
// gives; not ok for what the app's JSON reader refuses.
func withNumbers(v any, depth int) (_ any, ok bool) {
	if depth > depthMax {
		return nil, false
	}
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n, true
		}
		if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return n, true
		}
		f, err := v.Float64()
		return portable(f, depth), err == nil
	case []any:
		for i := range v {
			if v[i], ok = withNumbers(v[i], depth+1); !ok {
				return nil, false
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], ok = withNumbers(v[k], depth+1); !ok {
				return nil, false
			}
		}
	}
	return v, true
}
