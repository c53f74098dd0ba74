package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"stratum"
)

// ask sends one message on a connection of its own.
func (f *fixture) ask(t testing.TB, line string) Reply {
	t.Helper()
	conn := f.Connect(new(Session), nil)
	defer conn.Close()
	return conn.Handle(t.Context(), Decode([]byte(line)))
}

// code returns the error code of an answer; 0 when it is a result.
func code(t testing.TB, r Reply) int {
	t.Helper()
	var a struct {
		ID     json.RawMessage
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
			Data    stratum.ErrorData
		}
	}
	if err := json.Unmarshal(r.Body, &a); err != nil {
		t.Fatalf("answer %.200s: %v", r.Body, err)
	}
	if a.Error == nil {
		return 0
	}
	if a.Error.Message == "" || a.Error.Data.Kind == "" || a.Error.Data.Hint == "" {
		t.Errorf("error without message, kind or hint: %.300s", r.Body)
	}
	return a.Error.Code
}

func toolCallLine(id, name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, arguments)
}

func TestResponseMax(t *testing.T) {
	const limit = 10_000
	f := newFixture(t, Options{ResponseMax: limit})
	t.Run("a full budget fills the answer to the byte", func(t *testing.T) {
		for _, id := range []string{"1", `"` + strings.Repeat("i", 500) + `"`} {
			r := f.ask(t, toolCallLine(id, "kb_budget", "{}"))
			if got := len(r.Body) + len("\n"); got != limit {
				t.Errorf("id of %d bytes: the line has %d bytes, want %d", len(id), got, limit)
			}
		}
	})
	t.Run("a batch shares it", func(t *testing.T) {
		call := toolCallLine("1", "kb_budget", "{}")
		ping := `{"jsonrpc":"2.0","id":"p","method":"ping"}`
		r := f.ask(t, "["+strings.Join([]string{call, ping, call, call}, ",")+"]")
		if got := len(r.Body) + len("\n"); got > limit || got < limit-200 {
			t.Errorf("the line has %d bytes, want close to %d and no more", got, limit)
		}
		var elements []json.RawMessage
		if err := json.Unmarshal(r.Body, &elements); err != nil || len(elements) != 4 {
			t.Fatalf("%d elements, %v", len(elements), err)
		}
		for i, want := range map[int]int{0: limit / 3, 2: limit / 3, 3: limit / 3} {
			if got := len(elements[i]); got < want*9/10 || got > want*11/10 {
				t.Errorf("element %d has %d bytes, want about %d", i, got, want)
			}
		}
	})
	t.Run("errors stay within it too", func(t *testing.T) {
		var args strings.Builder
		args.WriteString(`{"text":"a"`)
		for i := range 5000 {
			fmt.Fprintf(&args, `,"unknown%d":1`, i)
		}
		args.WriteString("}")
		r := f.ask(t, toolCallLine("1", "kb_echo", args.String()))
		if code(t, r) != -32602 || len(r.Body) > limit {
			t.Errorf("%d bytes: %.200s", len(r.Body), r.Body)
		}
		if !bytes.Contains(r.Body, []byte("more are not listed")) {
			t.Errorf("the answer hides that errors were left out: %.200s", r.Body)
		}
	})
	t.Run("a limit too small is refused", func(t *testing.T) {
		if _, err := NewServer(nil, Options{ResponseMax: 100}); err == nil {
			t.Error("a limit of 100 bytes was taken")
		}
	})
}

func TestResultSize(t *testing.T) {
	for _, r := range []Result{
		{Structured: json.RawMessage(`{"a":"\" \\ \n \u2028 é 😀 <b>"}`)},
		{Structured: json.RawMessage(`{}`), Text: "see \"there\"\n\u2028<>"},
	} {
		encoded := r.append(nil)
		if len(encoded) != r.Size() {
			t.Errorf("%s has %d bytes, Size says %d", encoded, len(encoded), r.Size())
		}
		var back struct{ Content []struct{ Text string } }
		if err := json.Unmarshal(encoded, &back); err != nil {
			t.Fatalf("%s: %v", encoded, err)
		}
		want := r.Text
		if want == "" {
			want = string(r.Structured)
		}
		if back.Content[0].Text != want {
			t.Errorf("text block %q, want %q", back.Content[0].Text, want)
		}
	}
	if got := (Result{Text: "x"}).Size() - 1; got != Overhead {
		t.Errorf("Overhead is %d, want %d", Overhead, got)
	}
}

func TestInputLimits(t *testing.T) {
	f := newFixture(t, Options{})
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	tests := []struct {
		name, line string
		want       int
	}{
		{"a batch of 100", "[" + strings.Repeat(ping+",", 99) + ping + "]", 0},
		{"a batch of 101", "[" + strings.Repeat(ping+",", 100) + ping + "]", -32600},
		{"100,000 open brackets", strings.Repeat("[", 100_000), -32700},
		{"100,000 nested arrays", deep(100_000), -32700},
		{"9,000 nested arrays as an argument", toolCallLine("1", "kb_echo", `{"text":`+deep(9000)+`}`), -32602},
		{"9,000 nested arrays with much inside", toolCallLine("1", "kb_echo",
			`{"text":`+strings.Repeat("[", 9000)+strings.Repeat("1,", 500_000)+"1"+strings.Repeat("]", 9000)+`}`), -32602},
		{"a large text", toolCallLine("1", "kb_echo", `{"text":"`+strings.Repeat(`x\n`, 600_000)+`"}`), 0},
		{"a number of 1,001 digits", toolCallLine("1", "kb_echo", `{"text":"a","limit":`+strings.Repeat("9", 1001)+`}`), -32602},
		{"an id of 64 KiB", `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 64<<10-2) + `","method":"ping"}`, 0},
		{"a longer id", `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 64<<10) + `","method":"ping"}`, -32600},
		{"a long method", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 1<<20) + `"}`, -32601},
		{"a long tool name", toolCallLine("1", strings.Repeat("k", 1<<20), "{}"), -32601},
		{"invalid UTF-8", toolCallLine("1", "kb_echo", "{\"text\":\"a\xff\"}"), -32700},
		{"an overlong encoding", toolCallLine("1", "kb_echo", "{\"text\":\"\xc0\x80\"}"), -32700},
		{"an encoded surrogate", toolCallLine("1", "kb_echo", "{\"text\":\"\xed\xa0\x80\"}"), -32700},
		{"a raw control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\x01\"}", -32700},
		{"no text at all", "", -32700},
		{"U+FFFD itself", toolCallLine("1", "kb_echo", `{"text":"\ufffd"}`), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := f.ask(t, tt.line)
			if r.Body[0] == '[' && tt.want == 0 {
				return
			}
			if got := code(t, r); got != tt.want {
				t.Errorf("code %d, want %d: %.300s", got, tt.want, r.Body)
			}
			if unread := tt.want == -32700 || tt.want == -32600; r.Unread != unread {
				t.Errorf("Unread is %v, want %v", r.Unread, unread)
			}
		})
	}
}

func TestGate(t *testing.T) {
	denied := &stratum.Error{
		Kind: stratum.ScopesDenied, Message: "No.", Hint: "Ask.", RequiredScope: stratum.ScopeRead,
	}
	var asked []string
	f := newFixture(t, Options{Gate: func(_ context.Context, tool *Tool) error {
		asked = append(asked, tool.Name)
		if tool.Name == "kb_panic" {
			panic("gate")
		}
		return denied
	}})
	// The arguments are wrong as well: the gate comes first.
	r := f.ask(t, toolCallLine("1", "kb_echo", `{"nonsense":1,"nonsense":2}`))
	if code(t, r) != -32005 || r.Err == nil || r.Err.RequiredScope != stratum.ScopeRead {
		t.Errorf("answer %s, Err %v", r.Body, r.Err)
	}
	if code(t, f.ask(t, toolCallLine("1", "kb_panic", "{}"))) != -32603 {
		t.Error("a panic of the gate is no internal error")
	}
	if code(t, f.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)) != 0 {
		t.Error("tools/list was refused")
	}
	if len(asked) != 2 {
		t.Errorf("the gate was asked about %v, want kb_echo and kb_panic", asked)
	}
	f.ask(t, "["+toolCallLine("1", "kb_echo", "{}")+","+toolCallLine("2", "kb_echo", "{}")+"]")
	if len(asked) != 4 {
		t.Errorf("the gate was asked %d times, want once for each call of a batch", len(asked)-2)
	}
	if _, err := f.Call(t.Context(), "kb_echo", json.RawMessage(`{"text":"a"}`)); err != nil {
		t.Errorf("Call asked the gate: %v", err)
	}
}

func TestSecretsGoToTheLog(t *testing.T) {
	var log bytes.Buffer
	f := newFixture(t, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for _, name := range []string{"kb_broken", "kb_panic"} {
		log.Reset()
		r := f.ask(t, toolCallLine("1", name, "{}"))
		if bytes.Contains(r.Body, []byte("secret")) {
			t.Errorf("%s: the answer tells %s", name, r.Body)
		}
		if !strings.Contains(log.String(), "/secret/place") || !strings.Contains(log.String(), name) {
			t.Errorf("%s: the log does not tell: %s", name, &log)
		}
	}
	if !strings.Contains(log.String(), "mcp_test.go") {
		t.Errorf("the log has no stack of the panic: %s", &log)
	}
}

func TestCall(t *testing.T) {
	f := newFixture(t, Options{})
	got, err := f.Call(t.Context(), "kb_echo", json.RawMessage(`{"text":"a"}`))
	if want := `{"text":"a","kind":"page","limit":20}`; err != nil || string(got.Structured) != want {
		t.Errorf("got %s, %v; want %s", got.Structured, err, want)
	}
	for name, args := range map[string]string{
		"kb_nothing": "{}", "kb_echo": `{"text":`, "kb_hold": `{"x":1}`, "kb_missing": "", "kb_panic": "{}",
	} {
		var e *stratum.Error
		if _, err := f.Call(t.Context(), name, json.RawMessage(args)); !errors.As(err, &e) {
			t.Errorf("%s(%s): %v is no stratum.Error", name, args, err)
		}
	}
}

func TestNewServerRefuses(t *testing.T) {
	call := func(context.Context, *Call) (Result, error) { return Result{}, nil }
	good := Tool{Name: "a", InputSchema: json.RawMessage(nothingSchema), Call: call}
	for name, table := range map[string][]Tool{
		"no name":           {{InputSchema: good.InputSchema, Call: call}},
		"no call":           {{Name: "a", InputSchema: good.InputSchema}},
		"a name twice":      {good, good},
		"no schema":         {{Name: "a", Call: call}},
		"a broken schema":   {{Name: "a", InputSchema: json.RawMessage(`{`), Call: call}},
		"an invalid schema": {{Name: "a", InputSchema: json.RawMessage(`{"type":"thing"}`), Call: call}},
		"a schema of true":  {{Name: "a", InputSchema: json.RawMessage(`true`), Call: call}},
	} {
		if _, err := NewServer(table, Options{}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, err := NewServer([]Tool{good}, Options{}); err != nil {
		t.Errorf("a good table: %v", err)
	}
}

func TestLogWithoutAsking(t *testing.T) {
	f := newFixture(t, Options{})
	session := new(Session)
	var got []string
	conn := f.Connect(session, func(line []byte) { got = append(got, string(line)) })
	f.Log(Emergency, "x", "unasked")
	session.SetLevel(Info)
	f.Log(Debug, "x", "too low")
	f.Log(Info, "x", "heard")
	f.Log(Info, "x", func() {})
	conn.Close()
	f.Log(Emergency, "x", "closed")
	if len(got) != 2 || !strings.Contains(got[0], "heard") || !json.Valid([]byte(got[1])) {
		t.Errorf("got %q, want one message heard and one that could not be encoded", got)
	}
	if Level(0).String() != "none" || Warning.String() != "warning" {
		t.Error("levels are misnamed")
	}
}
