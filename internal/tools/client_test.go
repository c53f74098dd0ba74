package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"stratum/internal/mcp"
	"stratum/internal/vaulttest"
)

// connect joins the official Go SDK's client to a server, over lines.
func connect(t *testing.T, s *mcp.Server, opts *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	var writing sync.Mutex
	write := func(line []byte) {
		writing.Lock()
		defer writing.Unlock()
		_, _ = toClient.Write(append(slices.Clip(line), '\n'))
	}
	go func() {
		conn := s.Connect(new(mcp.Session), write)
		defer conn.Close()
		defer toClient.Close()
		var open sync.WaitGroup
		defer open.Wait()
		for lines := bufio.NewReader(fromClient); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			open.Add(1)
			conn.Submit(context.WithoutCancel(t.Context()), mcp.Decode(line), func(r mcp.Reply) {
				defer open.Done()
				if r.Body != nil {
					write(r.Body)
				}
			})
		}
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("close the session: %v", err)
		}
	})
	return session
}

func TestGoClient(t *testing.T) {
	progress := make(chan float64, 100)
	logged := make(chan string, 100)
	session := connect(t, openServer(t, vaulttest.New(t, garden), mcp.Options{}), &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			progress <- r.Params.Progress
		},
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
			logged <- r.Params.Logger
		},
	})
	ctx := t.Context()
	if err := session.Ping(ctx, nil); err != nil {
		t.Errorf("ping: %v", err)
	}
	if got := session.InitializeResult(); got.ProtocolVersion != mcp.ProtocolVersion || got.Capabilities.Tools.ListChanged || got.Capabilities.Logging == nil {
		t.Errorf("initialize: %+v", got)
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != len(contract) || list.NextCursor != "" {
		t.Fatalf("list: %+v, %v", list, err)
	}
	if err := session.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "warning"}); err != nil {
		t.Errorf("set level: %v", err)
	}
	arguments := map[string]any{
		"kb_get_page": map[string]any{"path": "soil.md"}, "kb_list_pages": map[string]any{"limit": 3},
		"kb_write_page":  map[string]any{"path": "pea.md", "content": "A #green [[soil]].\n"},
		"kb_delete_page": map[string]any{"path": "plants/empty-note.md"}, "kb_reindex": map[string]any{"mode": "rebuild"},
		"kb_index_status": nil, "kb_search": map[string]any{"query": "soil"}, "kb_search_by_tag": map[string]any{"tag": "green"},
		"kb_autocomplete": map[string]any{"query": "so"}, "kb_backlinks": map[string]any{"path": "soil"}, "kb_graph": map[string]any{},
		"kb_resolve_link": map[string]any{"target": "pea"}, "kb_add_tag": map[string]any{"path": "pea", "tag": "round"},
		"kb_remove_tag": map[string]any{"path": "pea", "tag": "round"}, "kb_vault_info": map[string]any{},
	}
	for _, tool := range contract {
		params := &sdk.CallToolParams{Name: tool.name, Arguments: arguments[tool.name]}
		if tool.name == "kb_reindex" {
			params.SetProgressToken("p")
		}
		r, err := session.CallTool(ctx, params)
		if err != nil {
			t.Errorf("%s: %v", tool.name, err)
			continue
		}
		text, ok := r.Content[0].(*sdk.TextContent)
		if !ok || r.IsError || len(r.Content) != 1 {
			t.Errorf("%s: %+v", tool.name, r)
			continue
		}
		structured, err := json.Marshal(r.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal([]byte(text.Text), &a) != nil || json.Unmarshal(structured, &b) != nil || string(marshal(a)) != string(marshal(b)) {
			t.Errorf("%s: the text %s is not the structured content %s", tool.name, text.Text, structured)
		}
	}
	if got := <-logged; got != "index" {
		t.Errorf("a message of the logger %s, want index", got)
	}
	for last := -1.0; len(progress) > 0; {
		p := <-progress
		if p <= last {
			t.Errorf("progress %v after %v", p, last)
		}
		last = p
	}

	_, err = session.CallTool(ctx, &sdk.CallToolParams{Name: "kb_get_page", Arguments: map[string]any{"path": "gone"}})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != -32001 {
		t.Fatalf("a missing note: %v", err)
	}
	var data struct {
		Kind     string
		NotePath string `json:"note_path"`
	}
	if err := json.Unmarshal(wire.Data, &data); err != nil || data.Kind != "NotFound" || data.NotePath != "gone.md" {
		t.Errorf("data %s, %v", wire.Data, err)
	}
}
