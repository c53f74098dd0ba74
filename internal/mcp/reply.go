package mcp

import (
	"bytes"
	"encoding/json"

	"stratum"
)

// Reply is the answer to one message or batch.
type Reply struct {
	// Body is one line of JSON without its newline; nil when there is nothing
	// to answer.
	Body []byte
	// Err is the error that Body carries, where it is the answer to a single
	// message.
	Err *stratum.Error
	// Unread says that no request could be read, so that the error has a null
	// id.
	Unread bool
}

const (
	envelope       = `{"jsonrpc":"2.0","id":,"result":}`
	resultEnvelope = `{"content":[{"type":"text","text":""}],"structuredContent":}`
)

// Size returns how many bytes of a Call's Budget the result takes.
func (r Result) Size() int {
	if r.Text == "" {
		return len(resultEnvelope) + len(r.Structured) + TextLen(r.Structured)
	}
	return len(resultEnvelope) + len(r.Structured) + len(quote(r.Text)) - len(`""`)
}

// TextLen returns how many bytes compact JSON takes inside a JSON string.
func TextLen(compact []byte) int {
	return len(compact) + bytes.Count(compact, []byte{'"'}) + bytes.Count(compact, []byte{'\\'})
}

// Overhead is the Size of a Result without its Structured and its Text.
const Overhead = len(resultEnvelope)

// append writes the result as JSON.
func (r Result) append(b []byte) []byte {
	b = append(b, `{"content":[{"type":"text","text":`...)
	if r.Text == "" {
		b = append(b, '"')
		for _, c := range r.Structured {
			if c == '"' || c == '\\' {
				b = append(b, '\\')
			}
			b = append(b, c)
		}
		b = append(b, '"')
	} else {
		b = append(b, quote(r.Text)...)
	}
	b = append(b, `}],"structuredContent":`...)
	b = append(b, r.Structured...)
	return append(b, '}')
}

func resultReply(id json.RawMessage, r Result) Reply {
	b := make([]byte, 0, len(envelope)+len(id)+r.Size())
	return Reply{Body: append(r.append(appendHead(b, id)), '}')}
}

func rawReply(id, result json.RawMessage) Reply {
	b := make([]byte, 0, len(envelope)+len(id)+len(result))
	return Reply{Body: append(append(appendHead(b, id), result...), '}')}
}

func appendHead(b []byte, id json.RawMessage) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	return append(b, `,"result":`...)
}

// errorReply answers with err; a nil id is written as null.
func errorReply(id json.RawMessage, err *stratum.Error) Reply {
	shown := id
	if shown == nil {
		shown = json.RawMessage("null")
	}
	body := marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   errorObject     `json:"error"`
	}{"2.0", shown, errorObject{err.Kind.Code(), err.Message, err.Data()}})
	return Reply{Body: body, Err: err, Unread: id == nil}
}

type errorObject struct {
	Code    int               `json:"code"`
	Message string            `json:"message"`
	Data    stratum.ErrorData `json:"data"`
}

// marshal encodes v as compact JSON without escaping for HTML, which would
// only cost bytes. A value that cannot be encoded becomes its error's text:
// only log data can be such a value.
func marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return quote(err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// quote returns s as a JSON string.
func quote(s string) []byte { return marshal(s) }

// Refuse answers a message that was not even read, with a null id.
func Refuse(err *stratum.Error) Reply { return errorReply(nil, err) }
