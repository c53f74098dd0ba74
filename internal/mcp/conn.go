package mcp

import (
	"context"
	"encoding/json"
)

// Conn is one stream of messages whose calls run in order: a stdio
// connection, or one HTTP request.
type Conn struct {
	server  *Server
	session *Session
	notify  func(line []byte)
	order   order
}

// Connect starts a connection of a session. notify writes one notification,
// without a newline; it may be called at any time, from any goroutine, until
// Close returns. nil drops notifications.
func (s *Server) Connect(session *Session, notify func(line []byte)) *Conn {
	c := &Conn{server: s, session: session, notify: notify}
	if notify == nil {
		c.notify = func([]byte) {}
		return c
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[c] = struct{}{}
	return c
}

// Close ends the connection's log messages. Calls still running go on.
func (c *Conn) Close() {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	delete(c.server.conns, c)
}

// Submit takes one message or batch. The order of calls of Submit is the
// order of decision 1.9, so it is called from one goroutine at a time. It
// never waits for a tool: what needs none is answered before Submit returns,
// and tool calls are answered from another goroutine. answer is called
// exactly once, with a zero Reply when there is nothing to answer. Ending ctx
// cancels reads; a mutation that has begun completes.
func (c *Conn) Submit(ctx context.Context, in Incoming, answer func(Reply)) {
	switch {
	case in.fault != nil:
		answer(errorReply(nil, in.fault))
	case in.batch:
		c.submitBatch(ctx, in.messages, answer)
	default:
		c.submitOne(ctx, &in.messages[0], answer)
	}
}

func (c *Conn) submitOne(ctx context.Context, m *message, answer func(Reply)) {
	if !m.isToolCall() {
		answer(c.immediate(m))
		return
	}
	t, err := c.server.prepare(m)
	if err != nil {
		answer(errorReply(m.id, err))
		return
	}
	t.pending = c.session.accept(ctx, m.id, t.tool.Mutates)
	turn := c.order.enter(t.tool.Mutates)
	go func() {
		turn.wait()
		reply := c.run(t, c.server.opts.ResponseMax)
		turn.leave()
		answer(reply)
	}()
}

// immediate answers what needs no tool.
func (c *Conn) immediate(m *message) Reply {
	switch {
	case m.ignore:
		return Reply{}
	case m.fault != nil:
		return errorReply(m.id, m.fault)
	case m.id == nil:
		c.notified(m)
		return Reply{}
	}
	return c.answer(m)
}

// submitBatch runs a batch's messages one after the other, as one member of
// the connection's order. The whole answer stays within MCP_RESPONSE_MAX:
// each call gets an equal share of what those before it have left.
func (c *Conn) submitBatch(ctx context.Context, messages []message, answer func(Reply)) {
	calls := make([]*toolCall, len(messages))
	replies := make([]Reply, len(messages))
	open, mutates := 0, false
	for i := range messages {
		m := &messages[i]
		if !m.isToolCall() {
			continue
		}
		t, err := c.server.prepare(m)
		if err != nil {
			replies[i] = errorReply(m.id, err)
			continue
		}
		t.pending = c.session.accept(ctx, m.id, t.tool.Mutates)
		calls[i] = t
		open++
		mutates = mutates || t.tool.Mutates
	}
	run := func() {
		room := c.server.opts.ResponseMax - len("[]\n") - len(messages)
		for i := range messages {
			switch {
			case calls[i] != nil:
				replies[i] = c.run(calls[i], max(budgetMin, room/open))
				open--
			case replies[i].Body == nil:
				replies[i] = c.immediate(&messages[i])
			}
			room -= len(replies[i].Body)
		}
		answer(joinReplies(replies))
	}
	if open == 0 {
		run()
		return
	}
	turn := c.order.enter(mutates)
	go func() {
		turn.wait()
		defer turn.leave()
		run()
	}()
}

// joinReplies makes the array that answers a batch; nothing when none of its
// messages is to be answered.
func joinReplies(replies []Reply) Reply {
	var body []byte
	for _, r := range replies {
		if r.Body == nil {
			continue
		}
		if body == nil {
			body = append(body, '[')
		} else {
			body = append(body, ',')
		}
		body = append(body, r.Body...)
	}
	if body == nil {
		return Reply{}
	}
	return Reply{Body: append(body, ']')}
}

func (c *Conn) send(method string, params any) { c.notify(notification(method, params)) }

func (m *message) isToolCall() bool { return m.isRequest() && m.method == "tools/call" }

// toolCall is a tools/call request whose tool is known.
type toolCall struct {
	id        json.RawMessage
	tool      *tool
	arguments json.RawMessage // as sent
	token     json.RawMessage // progress token, or nil
	pending   *pending
}
