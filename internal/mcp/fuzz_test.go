package mcp

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzMessage: any line gets one line of valid JSON or nothing, never a panic.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"kb_echo","arguments":{"text":"a\ud83d\ude00","limit":1e1},"_meta":{"progressToken":1}}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`,
		`{"a":[{"b":"\ud800"},{"c":1,"c":2}]}`, `[[[]]]`, `"\u`, "\xff", `{"jsonrpc":"2.0","id":null}`,
	} {
		f.Add([]byte(seed))
	}
	fixture := newFixture(f, Options{ResponseMax: responseMin})
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.Contains(line, []byte("hold")) {
			t.Skip("waits for the test")
		}
		conn := fixture.Connect(new(Session), func(n []byte) {
			if !json.Valid(n) {
				t.Errorf("notification %q", n)
			}
		})
		defer conn.Close()
		r := conn.Handle(t.Context(), Decode(bytes.Clone(line)))
		if r.Body == nil {
			return
		}
		if !json.Valid(r.Body) || !utf8.Valid(r.Body) || bytes.ContainsAny(r.Body, "\r\n") {
			t.Errorf("answer %q to %q", r.Body, line)
		}
	})
}

// FuzzFlaw: what findFlaw lets pass reads the same whoever reads it, and the
// walkers agree with encoding/json about where values end.
func FuzzFlaw(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1,"x\\",true,null]}}`, `{"\u0061":1,"a":2}`, `["\ud800\udc00","\udc00"]`, ` [ 1 , -2.5e7 ] `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) || !utf8.Valid(raw) {
			t.Skip()
		}
		raw = bytes.Trim(raw, " \t\r\n")
		if end := skipValue(raw, 0); end != len(raw) {
			t.Fatalf("%q ends at %d", raw, end)
		}
		if findFlaw(raw) != nil || raw[0] != '{' {
			return
		}
		members, _, hasDup := object(raw)
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if hasDup || len(members) != len(want) {
			t.Fatalf("%q has %d members, encoding/json reads %d", raw, len(members), len(want))
		}
		for _, m := range members {
			if !bytes.Equal(m.value, want[m.key]) {
				t.Errorf("%q: %q is %q, encoding/json reads %q", raw, m.key, m.value, want[m.key])
			}
		}
	})
}
