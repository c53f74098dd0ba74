package mcp

import (
	"strings"
	"testing"
)

// BenchmarkCall measures the protocol's own share of a call.
func BenchmarkCall(b *testing.B) {
	f := newFixture(b, Options{})
	for name, text := range map[string]string{
		"small": "a word",
		"1 MiB": strings.Repeat(`A line of a note, with \"quotes\".\n`, 30_000),
	} {
		line := []byte(toolCallLine("1", "kb_echo", `{"text":"`+text+`","limit":10}`))
		b.Run(name, func(b *testing.B) {
			conn := f.Connect(new(Session), nil)
			defer conn.Close()
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if r := conn.Handle(b.Context(), Decode(line)); r.Err != nil {
					b.Fatal(r.Err)
				}
			}
		})
	}
}
