package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"stratum/internal/vaulttest"
)

// TestSDKClientOverStdio has the official Go client start the binary and drive
// all fifteen tools: what they answer, what an error looks like to it, and
// that the session goes on after one.
func TestSDKClientOverStdio(t *testing.T) {
	dir := vaulttest.New(t, `
-- hive.md --
---
title: The Hive
tags: [bees]
---
- Home of the [[queen]] #insects
-- queen.md --
The Hive has one queen.
`)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: exec.CommandContext(t.Context(), "stratum-mcp", "--stdio", dir)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 15 {
		t.Fatalf("tools/list: %v, %v", listed, err)
	}
	for _, step := range []struct {
		tool, arguments, want string
	}{
		{"kb_get_page", `{"path":"hive"}`, `"title":"The Hive"`},
		{"kb_list_pages", `{"limit":1}`, `"path":"hive.md"`},
		{"kb_write_page", `{"path":"drone","content":"- lives with the [[queen]]\n"}`, `"block_count":1`},
		{"kb_search", `{"query":"lives"}`, `"total":1`},
		{"kb_search_by_tag", `{"tag":"bees"}`, `"page_path":"hive.md"`},
		{"kb_autocomplete", `{"query":"hiv"}`, `"detail":"hive.md"`},
		{"kb_backlinks", `{"path":"queen"}`, `"source_page":"drone.md"`},
		{"kb_graph", `{"path":"queen","depth":1}`, `"node_count":3`},
		{"kb_resolve_link", `{"target":"the hive"}`, `"path":"hive.md"`},
		{"kb_add_tag", `{"path":"drone","tag":"bees"}`, `"applied":1`},
		{"kb_remove_tag", `{"path":"hive","tag":"insects"}`, `"applied":1`},
		{"kb_reindex", `{}`, `"indexed_pages":3`},
		{"kb_index_status", `{}`, `"index_fresh":true`},
		{"kb_vault_info", `{}`, `"page_count":3`},
		{"kb_delete_page", `{"path":"drone"}`, `{}`},
	} {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: step.tool, Arguments: json.RawMessage(step.arguments)})
		if err != nil || r.IsError {
			t.Errorf("%s: %+v, %v", step.tool, r, err)
			continue
		}
		structured, err := json.Marshal(r.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if text := r.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, step.want) {
			t.Errorf("%s answers %s, want %s in it", step.tool, text, step.want)
		}
		if want := strings.Trim(step.want, "{}"); !strings.Contains(string(structured), want) {
			t.Errorf("%s is structured as %s, want %s in it", step.tool, structured, step.want)
		}
	}

	_, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "kb_get_page", Arguments: json.RawMessage(`{"path":"drone"}`)})
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || wire.Code != -32001 || !strings.Contains(wire.Message, "drone.md") || !strings.Contains(string(wire.Data), `"kind":"NotFound"`) {
		t.Errorf("a missing note is %v", err)
	}
	if err := s.Ping(t.Context(), nil); err != nil {
		t.Errorf("after an error: %v", err)
	}
}
