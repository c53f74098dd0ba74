package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"stratum"
	"stratum/internal/mcp"
)

// contract is what §5 and §6 say of each tool, and the SHA-256 of its schema
// as the contract has it.
var contract = []struct {
	name    string
	scope   stratum.Scope
	mutates bool
	hints   mcp.Annotations
	sum     string
}{
	{"kb_get_page", "kb:read", false, reads, "b46be442787a720268800aa8129db34faaae056d2e88d653140fda51dc9ac60e"},
	{"kb_list_pages", "kb:read", false, reads, "62aa81ace629d9b8ae8a7514abd61223c7f19094dc51e59cdfbc37b12d63d84a"},
	{"kb_write_page", "kb:write", true, overrides, "d252024a25d9f6182e37823863d213baf39e5a5ac50cb40a3acefc486ba1daac"},
	{"kb_delete_page", "kb:write", true, overrides, "9b81d4226a1b239e08eff1db1374287c2bb5099db012fbcb3619db4800c51367"},
	{"kb_reindex", "kb:index", true, refreshes, "d2a62fea7e10c65c70d3392f3c00930a2f11d7d754633cd4db3f25ccdf6b197c"},
	{"kb_index_status", "kb:read", false, reads, "82ef89968e73362f0522c75c6d5d42c7176fe91fc8e9b16a94cf14373e292d23"},
	{"kb_search", "kb:search", false, reads, "bd367d222fe7d4aaa8211ec697158434df043e13275de4c6e17d984135eafad8"},
	{"kb_search_by_tag", "kb:search", false, reads, "80fa0842460f7ef3453af072ced72cf97a15fa97afd553b57628a1eb21f7ad0a"},
	{"kb_autocomplete", "kb:search", false, reads, "e326d239392a770e86f283468125ff3d90edf721ede883c732c56556bcbddf11"},
	{"kb_backlinks", "kb:read", false, reads, "d680e5679f2df808bb3e6ce7de58b2859c12fc852c4b7d28a45b7cd0503ff1bd"},
	{"kb_graph", "kb:read", false, reads, "e2e7bd6180b6427ab7c8c674e8c34b66f04068c8541a96fa666d388c08723d6a"},
	{"kb_resolve_link", "kb:read", false, reads, "0d4424d08c42d9da5103dcab7ac6848ea8b1ef795609dd6938f4d99b521a739a"},
	{"kb_add_tag", "kb:organize", true, refreshes, "8bef228dacd714773d2dd1df1d2780c1beab812ec8201c61c31f69fc8d16064c"},
	{"kb_remove_tag", "kb:organize", true, overrides, "9adc61ead322cc3e06c6ad823e098ec29343c8ff8ef6043220f86419581d0cfa"},
	{"kb_vault_info", "kb:read", false, reads, "94b3f6c3e3c7157f80f9a0bdbe3c3e63db36a956919ad3356b52ec1c3f159b11"},
}

// listed is one tool as tools/list tells it.
type listed struct {
	Name, Title, Description string
	InputSchema              json.RawMessage
	Annotations              map[string]bool
}

// listTools asks a server for its tools.
func listTools(t *testing.T, s *mcp.Server) []listed {
	t.Helper()
	r := handle(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var a struct{ Result struct{ Tools []listed } }
	if err := json.Unmarshal(r.Body, &a); err != nil {
		t.Fatal(err)
	}
	return a.Result.Tools
}

// The fifteen tools without a vault: nothing in these tests gets so far as to
// need one.
func newTable(t *testing.T, gate mcp.Gate) *mcp.Server {
	t.Helper()
	s, err := NewServer(nil, mcp.Options{Gate: gate})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAllTools(t *testing.T) {
	s := newTable(t, nil)
	table, list := Table(nil), listTools(t, s)
	if len(table) != len(contract) || len(list) != len(contract) {
		t.Fatalf("%d tools, %d listed, want %d", len(table), len(list), len(contract))
	}
	for i, want := range contract {
		t.Run(want.name, func(t *testing.T) {
			tool, row := table[i], list[i]
			if tool.Name != want.name || row.Name != want.name {
				t.Fatalf("place %d has %s, listed as %s", i, tool.Name, row.Name)
			}
			if tool.Scope != want.scope || tool.Mutates != want.mutates {
				t.Errorf("scope %s, mutates %v; want %s, %v", tool.Scope, tool.Mutates, want.scope, want.mutates)
			}
			checkSchema(t, row, want.sum)
			checkWords(t, row)
			hints := map[string]bool{
				"readOnlyHint": want.hints.ReadOnly, "destructiveHint": want.hints.Destructive,
				"idempotentHint": want.hints.Idempotent, "openWorldHint": false,
			}
			if !reflect.DeepEqual(row.Annotations, hints) {
				t.Errorf("annotations %v, want %v", row.Annotations, hints)
			}
			if want.hints.ReadOnly == want.mutates {
				t.Errorf("a tool that mutates is said to be read-only, or the other way round")
			}
			checkProperties(t, s, row)
			checkDenied(t, want.name)
		})
	}
}

// checkSchema compares the file with the contract's bytes, and what is sent
// with the file, value for value.
func checkSchema(t *testing.T, row listed, sum string) {
	t.Helper()
	file, err := schemas.ReadFile("schemas/" + row.Name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if got := sha256.Sum256(file); hex.EncodeToString(got[:]) != sum {
		t.Errorf("the schema file is not the contract's: SHA-256 %x", got)
	}
	var sent, want any
	if err := json.Unmarshal(row.InputSchema, &sent); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(sent, want) {
		t.Errorf("sent schema %s, want that of the file", row.InputSchema)
	}
	if title := want.(map[string]any)["title"]; row.Title != title {
		t.Errorf("title %q, want the schema's %q", row.Title, title)
	}
}

var toolName = regexp.MustCompile(`\bkb_[a-z_]+\b`)

// checkWords holds a description to what a model needs of it.
func checkWords(t *testing.T, row listed) {
	t.Helper()
	if n := len(row.Description); n < 80 || n > 700 {
		t.Errorf("the description has %d characters", n)
	}
	for _, name := range toolName.FindAllString(row.Description+Instructions, -1) {
		known := false
		for _, c := range contract {
			known = known || c.name == name
		}
		if !known {
			t.Errorf("the description speaks of %s, which does not exist", name)
		}
	}
}

// checkProperties sends an unknown property, and each required one missing.
func checkProperties(t *testing.T, s *mcp.Server, row listed) {
	t.Helper()
	var schema struct {
		Required   []string
		Properties map[string]any
	}
	if err := json.Unmarshal(row.InputSchema, &schema); err != nil {
		t.Fatal(err)
	}
	args := map[string]any{"surprise": 1}
	for _, name := range schema.Required {
		args[name] = "x"
	}
	wantFieldError(t, s, row.Name, args, "/surprise")
	delete(args, "surprise")
	for _, name := range schema.Required {
		saved := args[name]
		delete(args, name)
		wantFieldError(t, s, row.Name, args, "/"+name)
		args[name] = []int{1}
		wantFieldError(t, s, row.Name, args, "/"+name)
		args[name] = saved
	}
	if _, err := s.Call(t.Context(), row.Name, json.RawMessage(`[]`)); stratum.KindOf(err) != stratum.InvalidArgs {
		t.Errorf("an array as arguments: %v", err)
	}
}

func wantFieldError(t *testing.T, s *mcp.Server, name string, args map[string]any, path string) {
	t.Helper()
	_, err := s.Call(t.Context(), name, marshal(args))
	e := stratum.AsError(err)
	if e == nil || e.Kind != stratum.InvalidArgs || len(e.Errors) != 1 || e.Errors[0].Path != path {
		t.Errorf("%s(%v): %v %+v, want InvalidArgs at %s", name, args, err, e, path)
		return
	}
	if !strings.Contains(e.Message, path) || e.Hint == "" {
		t.Errorf("%s(%v): message %q, hint %q do not name %s", name, args, e.Message, e.Hint, path)
	}
}

// checkDenied: the gate is asked before anything else. Without a vault, any
// later step would panic, and with these arguments the schema would refuse.
func checkDenied(t *testing.T, name string) {
	t.Helper()
	s := newTable(t, func(_ context.Context, tool *mcp.Tool) error {
		return &stratum.Error{Kind: stratum.ScopesDenied, Message: "Denied.", Hint: "Ask.", RequiredScope: tool.Scope}
	})
	r := handle(t, s, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{"surprise":1}}}`, name))
	if r.Err == nil || r.Err.Kind != stratum.ScopesDenied {
		t.Errorf("answer %s, want ScopesDenied", r.Body)
	}
}

// Arguments that pass the schema and are still no path, time or tag are
// refused without asking the vault.
func TestArgumentsBecomeTypesFirst(t *testing.T) {
	s := newTable(t, nil)
	for _, path := range []string{
		"", "/etc/passwd", `a\b.md`, "C:/x.md", "../x.md", "a/../x", "a//b", ".git/x.md", "a/.x.md", "a\x00b", "a\nb",
		strings.Repeat("a", 256), strings.Repeat("a/", 2049),
	} {
		for _, name := range []string{"kb_get_page", "kb_write_page", "kb_delete_page", "kb_backlinks", "kb_graph", "kb_add_tag", "kb_remove_tag"} {
			args := map[string]any{"path": path}
			switch name {
			case "kb_write_page":
				args["content"] = "x"
			case "kb_add_tag", "kb_remove_tag":
				args["tag"] = "x"
			}
			_, err := s.Call(t.Context(), name, marshal(args))
			if stratum.KindOf(err) != stratum.InvalidArgs {
				t.Errorf("%s of %.20q: %v, want InvalidArgs", name, path, err)
			}
			if e := stratum.AsError(err); strings.Contains(e.Message+e.Hint+e.Path, "passwd") {
				t.Errorf("%s repeats an absolute path: %+v", name, e)
			}
		}
	}
	for name, args := range map[string]string{
		"kb_write_page":    `{"path":"a","content":"","expected_modified":"yesterday"}`,
		"kb_delete_page":   `{"path":"a","expected_modified":"2026-01-01"}`,
		"kb_add_tag":       `{"path":"a","tag":"#"}`,
		"kb_remove_tag":    `{"path":"a","tag":"##"}`,
		"kb_search_by_tag": `{"tag":"#"}`,
		"kb_list_pages":    `{"cursor":"AAAA"}`,
	} {
		if _, err := s.Call(t.Context(), name, json.RawMessage(args)); stratum.KindOf(err) != stratum.InvalidArgs {
			t.Errorf("%s(%s): %v, want InvalidArgs", name, args, err)
		}
	}
}

func TestRun(t *testing.T) {
	s := newTable(t, nil)
	if _, err := Run(t.Context(), s, "kb_serch", nil); stratum.KindOf(err) != stratum.MethodNotFound || !strings.Contains(err.Error(), "kb_search") {
		t.Errorf("an unknown tool: %v", err)
	}
	if _, err := NewServer(nil, mcp.Options{ResponseMax: 1}); err == nil {
		t.Error("a limit of one byte was taken")
	}
}
