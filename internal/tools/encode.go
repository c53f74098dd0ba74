package tools

import (
	"bytes"
	"encoding/json"
	"fmt"

	"stratum/internal/mcp"
)

// encoder writes values as compact JSON into memory that it reuses. It does
// not escape for HTML: that would only cost bytes.
type encoder struct {
	buf bytes.Buffer
	enc *json.Encoder
}

// encode returns v's JSON, valid until the next call.
func (e *encoder) encode(v any) []byte {
	if e.enc == nil {
		e.enc = json.NewEncoder(&e.buf)
		e.enc.SetEscapeHTML(false)
	}
	e.buf.Reset()
	if err := e.enc.Encode(v); err != nil {
		// Answers are structs of strings, numbers and decoded YAML; what JSON
		// cannot hold among them is a mistake of ours.
		panic(fmt.Sprintf("encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(e.buf.Bytes(), []byte("\n"))
}

// marshal returns v's JSON in memory of its own.
func marshal(v any) json.RawMessage {
	var e encoder
	return e.encode(v)
}

// cost is how much of a budget JSON takes: as structuredContent, and once
// more inside the text block.
func cost(compact []byte) int { return len(compact) + mcp.TextLen(compact) }

// answer encodes a response that is no list. Where the text block does not
// fit it only says where the answer is.
func answer(v any, budget int) mcp.Result {
	return fitText(mcp.Result{Structured: marshal(v)}, budget)
}

// answerCut is answer for a response with one text that has no bound of its
// own: it is cut where the response would not fit even once.
func answerCut(it item, budget int) mcp.Result {
	r := answer(it.value, budget)
	if r.Size() > budget {
		var e encoder
		r = fitText(mcp.Result{Structured: shorten(&e, it, budget-mcp.Overhead)}, budget)
	}
	return r
}

func fitText(r mcp.Result, budget int) mcp.Result {
	if r.Size() > budget {
		r.Text = "The answer is in structuredContent: it is too large to be repeated as text."
	}
	return r
}

// item is one element of a list. Where it is too large alone, text is cut and
// the flag says so.
type item struct {
	value     any // a pointer to what is encoded
	text      *string
	truncated *bool
}

// list writes the response {"key":[items],…} within a budget, each item
// encoded once.
type list struct {
	budget int
	body   []byte
	cost   int // Size of a Result of body alone
	len    int // items added
	enc    encoder
}

func newList(key string, budget int) *list {
	l := &list{budget: budget, cost: mcp.Overhead}
	l.write(fmt.Appendf(nil, `{"%s":[`, key))
	return l
}

func (l *list) write(compact []byte) {
	l.body = append(l.body, compact...)
	l.cost += cost(compact)
}

// add appends an item and reports whether it fitted, with tail bytes of the
// budget left over for what follows the items. The first item always fits:
// it is cut where it must be.
func (l *list) add(it item, tail int) bool {
	room := l.budget - l.cost - len(",,") - tail
	compact := l.enc.encode(it.value)
	if cost(compact) > room {
		if l.len > 0 {
			return false
		}
		compact = shorten(&l.enc, it, room)
	}
	if l.len > 0 {
		l.write([]byte{','})
	}
	l.write(compact)
	l.len++
	return true
}

// shorten cuts the item's text so that the item costs room at most.
func shorten(enc *encoder, it item, room int) []byte {
	whole := *it.text
	*it.text, *it.truncated = "", true
	room -= cost(enc.encode(it.value))
	*it.text = cut(whole, room, costTwice)
	return enc.encode(it.value)
}

// result ends the list. The members of tail, a struct, follow the items.
func (l *list) result(tail any) mcp.Result {
	l.body = append(l.body, ']')
	if members := l.enc.encode(tail)[1:]; len(members) > 1 {
		l.body = append(append(l.body, ','), members...)
	} else {
		l.body = append(l.body, '}')
	}
	return fitText(mcp.Result{Structured: l.body}, l.budget)
}

// tailRoom is what the numbers and flags behind the items of a list cost at
// most.
const tailRoom = 256

// cuttable is the tail of a list that has no continuation.
type cuttable struct {
	Truncated bool `json:"truncated,omitempty"`
}
