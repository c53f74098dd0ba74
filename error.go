package stratum

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"
)

// Kind classifies an [Error]. Its name, JSON-RPC code and HTTP status stand
// in one table (contract §8.1).
type Kind uint8

// The kinds of contract §8.1. The zero Kind is Internal, so that whatever
// nobody classified is an internal error.
const (
	Internal Kind = iota
	ParseError
	InvalidRequest
	MethodNotFound
	InvalidArgs
	External
	NotFound
	Conflict
	RateLimited
	Ssid
	ScopesDenied
	VaultLocked
)

var kinds = [...]struct {
	name   string
	code   int
	status int
}{
	Internal:       {"Internal", -32603, http.StatusInternalServerError},
	ParseError:     {"ParseError", -32700, http.StatusBadRequest},
	InvalidRequest: {"InvalidRequest", -32600, http.StatusBadRequest},
	MethodNotFound: {"MethodNotFound", -32601, http.StatusBadRequest},
	InvalidArgs:    {"InvalidArgs", -32602, http.StatusBadRequest},
	External:       {"External", -32000, http.StatusInternalServerError},
	NotFound:       {"NotFound", -32001, http.StatusNotFound},
	Conflict:       {"Conflict", -32002, http.StatusConflict},
	RateLimited:    {"RateLimited", -32003, http.StatusTooManyRequests},
	Ssid:           {"Ssid", -32004, http.StatusForbidden},
	ScopesDenied:   {"ScopesDenied", -32005, http.StatusForbidden},
	VaultLocked:    {"VaultLocked", -32006, http.StatusLocked},
}

// String returns the kind as data.kind shows it.
func (k Kind) String() string { return kinds[k].name }

// Code returns the JSON-RPC error code.
func (k Kind) Code() int { return kinds[k].code }

// HTTPStatus returns the status that §8.1 gives as typical.
func (k Kind) HTTPStatus() int { return kinds[k].status }

// Error is a failure in the contract's vocabulary (§8). Message and Hint go
// to the client, so neither ever holds an absolute path; Cause goes to the
// log only.
type Error struct {
	Kind    Kind
	Message string // whole sentence for a reader who sees nothing else
	Hint    string // what to do next

	Path          string        // data.note_path, vault-relative, or ""
	RequiredScope Scope         // data.required_scope, or ""
	RetryAfter    time.Duration // data.retry_after_seconds, rounded up to at least 1 s; 0 means none
	Errors        []FieldError  // data.errors, one for each violated path of the arguments

	Cause error // what happened below; never shown to a client
}

// FieldError is one violation of a tool's input schema (decision 1.7).
type FieldError struct {
	Path    string `json:"path"`    // JSON pointer into the arguments; "" is the whole
	Message string `json:"message"` // what is wrong there
}

// ErrorData is the data member of a JSON-RPC error (decision 1.3).
type ErrorData struct {
	Kind              string       `json:"kind"`
	Hint              string       `json:"hint"`
	NotePath          string       `json:"note_path,omitempty"`
	RequiredScope     Scope        `json:"required_scope,omitempty"`
	RetryAfterSeconds int          `json:"retry_after_seconds,omitempty"`
	Errors            []FieldError `json:"errors,omitempty"`
}

// Error returns the message, followed by the cause for the log's sake. Use
// Message for what a client may see.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Data returns what the client sees beside code and message.
func (e *Error) Data() ErrorData {
	d := ErrorData{
		Kind: e.Kind.String(), Hint: e.Hint, NotePath: e.Path,
		RequiredScope: e.RequiredScope, Errors: e.Errors,
	}
	if e.RetryAfter > 0 {
		d.RetryAfterSeconds = max(1, int(math.Ceil(e.RetryAfter.Seconds())))
	}
	return d
}

// AsError returns err as the [Error] in its chain. An error nobody classified
// becomes Internal with err as its cause, so no raw text reaches a client.
// It returns nil for a nil err.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{
		Kind:    Internal,
		Message: "The server met an unexpected error.",
		Hint:    "Try again; if it happens again, tell the operator to look at the server's log.",
		Cause:   err,
	}
}

// KindOf returns the kind of err, which is not nil; Internal when nobody
// classified it.
func KindOf(err error) Kind { return AsError(err).Kind }

// IsKind reports whether err is an error of kind k.
func IsKind(err error, k Kind) bool { return err != nil && KindOf(err) == k }

// ErrNotFound returns the NotFound error for the note at p.
func ErrNotFound(p Path) *Error {
	return &Error{
		Kind:    NotFound,
		Message: "Note not found: " + p.String(),
		Hint:    "Create it with kb_write_page, or find the right path with kb_autocomplete or kb_list_pages.",
		Path:    p.String(),
	}
}

// ErrExternal returns an External error: the store, the index or the disk
// failed while doing what doing names, as in "save the note".
func ErrExternal(doing string, cause error) *Error {
	return &Error{
		Kind:    External,
		Message: fmt.Sprintf("The vault's storage failed to %s; nothing was changed.", doing),
		Hint:    "Try again; if it goes on, the operator should check the disk's space and permissions and run stratum-mcp status.",
		Cause:   cause,
	}
}
