package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"stratum"
)

// prepare reads the params of tools/call as far as they name the tool. The
// arguments wait until the gate has been asked.
func (s *Server) prepare(m *message) (*toolCall, *stratum.Error) {
	example := `Give params as {"name":"kb_search","arguments":{"query":"…"}}; tools/list has every tool and its arguments.`
	if m.params == nil {
		return nil, badCall("tools/call needs params with the name of a tool.", example)
	}
	members, dup, hasDup := object(m.params)
	if hasDup {
		return nil, badCall(fmt.Sprintf("The params of tools/call have the key %.40q twice.", dup), example)
	}
	raw := find(members, "name")
	if raw == nil || raw[0] != '"' {
		return nil, badCall("tools/call needs the name of a tool as a string.", example)
	}
	name := unquote(raw)
	t := s.tools[name]
	if t == nil {
		return nil, s.unknownTool(name)
	}
	call := &toolCall{id: m.id, tool: t, arguments: find(members, "arguments")}
	if meta := find(members, "_meta"); meta != nil && meta[0] == '{' {
		inner, _, _ := object(meta)
		if token := find(inner, "progressToken"); isID(token) && len(token) <= idMax {
			call.token = token
		}
	}
	return call, nil
}

func badCall(message, hint string) *stratum.Error {
	return &stratum.Error{Kind: stratum.InvalidArgs, Message: message, Hint: hint}
}

// run runs a call whose turn has come and returns its answer, which takes
// room bytes at most.
func (c *Conn) run(t *toolCall, room int) Reply {
	result, err := c.runTool(t, room)
	switch {
	case !t.pending.finish():
		return Reply{}
	case err != nil:
		return errorReply(t.id, err)
	}
	return resultReply(t.id, result)
}

func (c *Conn) runTool(t *toolCall, room int) (Result, *stratum.Error) {
	s, p := c.server, t.pending
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-p.ctx.Done(): // begin says so
	}
	ctx, err := p.begin()
	if err != nil {
		return Result{}, s.classify(t.tool, err)
	}
	return s.invoke(ctx, t.tool, t.arguments, &Call{
		Budget: max(budgetMin, room-len(envelope)-len(t.id)-len("\n")),
		conn:   c, server: s, pending: p, progress: progress{token: t.token},
	})
}

// Call runs a tool outside any connection, without the gate. Its error is a
// [stratum.Error].
func (s *Server) Call(ctx context.Context, name string, arguments json.RawMessage) (Result, error) {
	t := s.tools[name]
	if t == nil {
		return Result{}, s.unknownTool(name)
	}
	if fault := checkArguments(arguments); fault != nil {
		return Result{}, fault
	}
	call := &Call{Budget: s.opts.ResponseMax - len(envelope) - len("\n"), server: s}
	result, err := s.invoke(ctx, t, arguments, call)
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

func checkArguments(arguments json.RawMessage) *stratum.Error {
	if len(arguments) == 0 {
		return nil
	}
	return checkText(arguments)
}

// invoke asks the gate about calls of a connection, checks the arguments and
// runs the tool. A panic is that one call's error (decision 1.12).
func (s *Server) invoke(ctx context.Context, t *tool, arguments json.RawMessage, call *Call) (result Result, fault *stratum.Error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("tool panicked", "tool", t.Name, "panic", r, "stack", string(debug.Stack()))
			fault = stratum.AsError(fmt.Errorf("panic in %s: %v", t.Name, r))
		}
	}()
	if s.opts.Gate != nil && call.conn != nil {
		if err := s.opts.Gate(ctx, &t.Tool); err != nil {
			return Result{}, s.classify(t, err)
		}
	}
	if call.Arguments, fault = t.schema.check(arguments, min(errorsMax, call.Budget/4)); fault != nil {
		return Result{}, fault
	}
	result, err := t.Call(ctx, call)
	if err != nil {
		return Result{}, s.classify(t, err)
	}
	return result, nil
}

// classify turns a tool's error into the answer's, and logs what the client
// will not see.
func (s *Server) classify(t *tool, err error) *stratum.Error {
	e := stratum.AsError(err)
	if e.Kind == stratum.Internal && errors.Is(err, context.Canceled) {
		return &stratum.Error{
			Kind:    stratum.Internal,
			Message: "The call was cancelled before it was done; it changed nothing.",
			Hint:    "The server is ending this connection; connect again and repeat the call.",
			Cause:   err,
		}
	}
	switch e.Kind {
	case stratum.Internal, stratum.External:
		s.log.Error("tool failed", "tool", t.Name, "kind", e.Kind.String(), "err", err)
	default:
		s.log.Debug("tool refused", "tool", t.Name, "kind", e.Kind.String(), "message", e.Message)
	}
	return e
}
