package mcp

import (
	"context"
	"encoding/json"

	"stratum"
)

// Tool is one row of the server's static table.
type Tool struct {
	Name        string
	Title       string
	Description string          // for a model that chooses a tool
	InputSchema json.RawMessage // JSON Schema draft-07 of an object, sent as it is
	Annotations Annotations
	Scope       stratum.Scope // what the Gate asks of a caller
	// Mutates keeps the call in order with all others of its connection, and
	// lets it complete once begun, cancelled or not (decisions 1.9 and 1.11).
	Mutates bool
	// Call runs the tool. Its error is answered as [stratum.AsError] has it.
	Call func(ctx context.Context, c *Call) (Result, error)
}

// Annotations are the hints of MCP about a tool; all four are always sent.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Result is what a tool answers: one JSON object as structuredContent, and a
// text block beside it.
type Result struct {
	// Structured is the response object of contract §5 as compact, valid
	// JSON.
	Structured json.RawMessage
	// Text is the text block; "" repeats Structured, as MCP recommends.
	Text string
}

// Call is one run of a tool.
type Call struct {
	// Arguments fit the tool's schema; its defaults are filled in and
	// integers are written as plain digits.
	Arguments json.RawMessage
	// Budget is how many bytes the Result may take, by [Result.Size], so that
	// the whole answer stays within MCP_RESPONSE_MAX (decision 7.1).
	Budget int

	conn     *Conn // nil for a call outside any connection
	server   *Server
	pending  *pending
	progress progress
}

// Log sends a log message to every connected session that asked for its
// level (contract §12). data is marshalled as JSON.
func (c *Call) Log(level Level, logger string, data any) {
	if c.server != nil {
		c.server.Log(level, logger, data)
	}
}

// Progress tells the caller, if it asked, that done of total steps are done.
// The first report and that of the last step are always sent, between them at
// most five a second; a report that does not increase is dropped
// (decision 2.5).
func (c *Call) Progress(done, total int, message string) {
	if c.conn == nil || c.progress.token == nil || c.pending.isCancelled() {
		return
	}
	if !c.progress.due(done, total) {
		return
	}
	c.conn.send("notifications/progress", progressParams{
		Token: c.progress.token, Progress: done, Total: total, Message: message,
	})
}

// Gate decides whether the caller in ctx may call t now: scope first, then
// rate limit. It is asked before the arguments are checked (decision 3.5),
// and its error is the call's answer.
type Gate func(ctx context.Context, t *Tool) error
