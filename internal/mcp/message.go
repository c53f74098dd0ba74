package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"stratum"
)

// Incoming is what one line or body holds: a message or a batch of them.
type Incoming struct {
	messages []message
	batch    bool
	fault    *stratum.Error // no request could be read at all
}

// message is one JSON-RPC message. Exactly one of three: a request has an id
// and a method, a notification a method only, and everything else is ignored
// (a client's response) or answered with fault.
type message struct {
	id     json.RawMessage // as sent; nil for a notification and where it cannot be read
	method string
	params json.RawMessage // an object or nil, once fault is nil
	ignore bool
	fault  *stratum.Error
}

func (m *message) isRequest() bool { return m.fault == nil && !m.ignore && m.id != nil }

// idMax is the most bytes of an id or a progress token: they are repeated in
// answers, which have a limit themselves.
const idMax = 64 << 10

var bom = []byte("\uFEFF")

// Decode reads one message or batch. It keeps slices of data, which the
// caller must not change afterwards. It never fails: what is wrong is
// answered by [Conn.Submit].
func Decode(data []byte) Incoming {
	data = bytes.Trim(bytes.TrimPrefix(data, bom), " \t\r\n")
	if fault := checkText(data); fault != nil {
		return Incoming{fault: fault}
	}
	if data[0] != '[' {
		return Incoming{messages: []message{decodeMessage(data)}}
	}
	elements, more := array(data, stratum.BatchMax)
	switch {
	case more:
		return Incoming{fault: invalid(
			fmt.Sprintf("The batch has more than %d messages, so none of them was run.", stratum.BatchMax),
			"Send smaller batches, or one message at a time.")}
	case len(elements) == 0:
		return Incoming{fault: invalid("The batch is empty.", "Send at least one JSON-RPC message.")}
	}
	in := Incoming{batch: true, messages: make([]message, len(elements))}
	for i, e := range elements {
		in.messages[i] = decodeMessage(e)
		if in.messages[i].isRequest() && in.messages[i].method == "initialize" {
			in.messages[i].fault = invalid("initialize cannot be part of a batch.",
				"Send initialize alone, as the first message of the session.")
		}
	}
	return in
}

// checkText refuses what is no JSON text in UTF-8: the bytes would be
// replaced silently, and a write would store the replacement.
func checkText(data []byte) *stratum.Error {
	if !utf8.Valid(data) {
		return &stratum.Error{
			Kind:    stratum.ParseError,
			Message: fmt.Sprintf("The message is not valid UTF-8 (byte %d), so it was not read.", invalidAt(data)),
			Hint:    "Encode the message as UTF-8.",
		}
	}
	if json.Valid(data) {
		return nil
	}
	why := "it is cut off"
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); errors.As(err, &syntax) {
		why = fmt.Sprintf("%s, at byte %d", syntax.Error(), syntax.Offset)
	}
	return &stratum.Error{
		Kind:    stratum.ParseError,
		Message: "The message is not valid JSON: " + why + ".",
		Hint:    "Send exactly one JSON-RPC 2.0 message, or one array of them.",
	}
}

func invalidAt(data []byte) int {
	at := 0
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n <= 1 {
			break
		}
		at += n
		data = data[n:]
	}
	return at
}

func decodeMessage(raw json.RawMessage) message {
	if raw[0] != '{' {
		return message{fault: invalid("A message must be an object, not "+typeName(raw)+".",
			`Send {"jsonrpc":"2.0","id":1,"method":"tools/list"}, for example.`)}
	}
	members, dup, hasDup := object(raw)
	id, method, params := find(members, "id"), find(members, "method"), find(members, "params")
	m := message{}
	if isID(id) {
		m.id = id
	}
	fail := func(message string) message {
		m.fault = invalid(message, `A request is {"jsonrpc":"2.0","id":1,"method":"…","params":{…}}; a notification is the same without id.`)
		return m
	}
	if hasDup {
		if dup == "id" {
			m.id = nil
		}
		return fail(fmt.Sprintf("The message has the key %.40q twice.", dup))
	}
	if method == nil && (find(members, "result") != nil || find(members, "error") != nil) {
		m.ignore = true
		return m
	}
	if string(find(members, "jsonrpc")) != `"2.0"` {
		return fail(`The message must have "jsonrpc":"2.0".`)
	}
	if len(id) > idMax {
		m.id = nil
		return fail(fmt.Sprintf("The id is longer than %d bytes.", idMax))
	}
	if id != nil && m.id == nil {
		return fail("The id must be a string or a number, not " + typeName(id) + ".")
	}
	if method == nil {
		return fail("The message has no method.")
	}
	if method[0] != '"' {
		return fail("The method must be a string, not " + typeName(method) + ".")
	}
	m.method = unquote(method)
	switch {
	case params == nil || typeName(params) == "null":
	case params[0] == '{':
		m.params = params
	case params[0] == '[' && m.id != nil:
		m.fault = &stratum.Error{
			Kind:    stratum.InvalidArgs,
			Message: "params must be an object with named members, not an array.",
			Hint:    `For a tool: {"name":"kb_search","arguments":{"query":"…"}}.`,
		}
	case params[0] != '[':
		return fail("params must be an object, not " + typeName(params) + ".")
	}
	return m
}

func isID(raw json.RawMessage) bool {
	return raw != nil && (raw[0] == '"' || typeName(raw) == "number")
}

func invalid(message, hint string) *stratum.Error {
	return &stratum.Error{Kind: stratum.InvalidRequest, Message: message, Hint: hint}
}
