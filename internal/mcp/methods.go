package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	"stratum"
)

// methodNames are the methods that are answered (decision 1.1).
var methodNames = []string{"initialize", "ping", "tools/list", "tools/call", "logging/setLevel"}

var emptyObject = json.RawMessage("{}")

// describe returns the result of initialize, its keys in the order of
// decision 1.2.
func (s *Server) describe() json.RawMessage {
	type tools struct {
		ListChanged bool `json:"listChanged"`
	}
	type capabilities struct {
		Tools   tools    `json:"tools"`
		Logging struct{} `json:"logging"`
	}
	type info struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	return marshal(struct {
		ProtocolVersion string       `json:"protocolVersion"`
		Capabilities    capabilities `json:"capabilities"`
		ServerInfo      info         `json:"serverInfo"`
		Instructions    string       `json:"instructions"`
	}{
		ProtocolVersion,
		capabilities{},
		info{stratum.ServerName, s.opts.Title, stratum.Version},
		s.opts.Instructions,
	})
}

// list returns the result of tools/list.
func (s *Server) list() json.RawMessage {
	type row struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations Annotations     `json:"annotations"`
	}
	rows := make([]row, len(s.names))
	for i, name := range s.names {
		t := s.tools[name]
		rows[i] = row{t.Name, t.Title, t.Description, t.InputSchema, t.Annotations}
	}
	return marshal(struct {
		Tools []row `json:"tools"`
	}{rows})
}

// answer answers a request that is no tool call.
func (c *Conn) answer(m *message) Reply {
	result, err := c.result(m)
	if err != nil {
		return errorReply(m.id, err)
	}
	return rawReply(m.id, result)
}

func (c *Conn) result(m *message) (json.RawMessage, *stratum.Error) {
	switch m.method {
	case "initialize":
		return c.server.initialized, nil
	case "ping":
		return emptyObject, nil
	case "tools/list":
		return c.server.listed, checkCursor(m.params)
	case "logging/setLevel":
		return emptyObject, c.setLevel(m.params)
	}
	return nil, unknownMethod(m.method)
}

// checkCursor refuses a cursor: the list has one page, so we gave none.
func checkCursor(params json.RawMessage) *stratum.Error {
	if params == nil {
		return nil
	}
	members, _, _ := object(params)
	if cursor := find(members, "cursor"); cursor == nil || typeName(cursor) == "null" {
		return nil
	}
	return &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: "tools/list has a single page, so no cursor of it is valid.",
		Hint:    "Call tools/list without a cursor.",
	}
}

func (c *Conn) setLevel(params json.RawMessage) *stratum.Error {
	var name string
	if params != nil {
		members, _, _ := object(params)
		if raw := find(members, "level"); raw != nil && raw[0] == '"' {
			name = unquote(raw)
		}
	}
	level, ok := ParseLevel(name)
	if !ok {
		return &stratum.Error{
			Kind:    stratum.InvalidArgs,
			Message: "logging/setLevel needs a level that MCP knows.",
			Hint:    "Give params.level as one of: " + strings.Join(levelNames, ", ") + ".",
		}
	}
	c.session.SetLevel(level)
	return nil
}

// notified takes a notification. Those that ask for nothing are dropped, and
// so is a request that was sent without an id: nobody would learn how it went.
func (c *Conn) notified(m *message) {
	if m.method != "notifications/cancelled" || m.params == nil {
		return
	}
	members, _, _ := object(m.params)
	if id := find(members, "requestId"); isID(id) {
		c.session.cancelCall(id)
	}
}

func unknownMethod(method string) *stratum.Error {
	return &stratum.Error{
		Kind:    stratum.MethodNotFound,
		Message: "This server has no method " + shown(method) + ".",
		Hint:    "It answers " + strings.Join(methodNames, ", ") + "; what it offers is in tools/list." + didYouMean(method, methodNames),
	}
}

func (s *Server) unknownTool(name string) *stratum.Error {
	return &stratum.Error{
		Kind:    stratum.MethodNotFound,
		Message: fmt.Sprintf("There is no tool %s.%s", shown(name), didYouMean(name, s.names)),
		Hint:    "The tools are: " + strings.Join(s.names, ", ") + ".",
	}
}
