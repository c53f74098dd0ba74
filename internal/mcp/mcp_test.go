package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"stratum"
	"stratum/internal/vaulttest"
)

// fixture is a server whose tools do what a test needs: echo answers its
// arguments; fail, panic and notfound do what they say; hold reads and
// hold_write wait until the test lets them go.
type fixture struct {
	*Server
	entered chan string // the name of each call of a hold tool, as it starts
	release chan struct{}
}

const echoSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","title":"Echo","type":"object","properties":{
	"text":{"type":"string","minLength":1,"pattern":"^[^!]*$"},
	"kind":{"type":"string","enum":["page","tag"],"default":"page"},
	"limit":{"type":"integer","minimum":1,"maximum":1000,"default":20},
	"offset":{"type":"integer","minimum":0},
	"guard":{"type":["string","null"]}},"required":["text"],"additionalProperties":false}`

const nothingSchema = `{"type":"object","properties":{},"additionalProperties":false}`

func newFixture(t testing.TB, opts Options) *fixture {
	t.Helper()
	f := &fixture{entered: make(chan string, 100), release: make(chan struct{})}
	simple := func(name, schema string, mutates bool, call func(context.Context, *Call) (Result, error)) Tool {
		return Tool{
			Name: name, Title: name, Description: "A tool of the tests.", InputSchema: json.RawMessage(schema),
			Annotations: Annotations{ReadOnly: !mutates}, Scope: stratum.ScopeRead, Mutates: mutates, Call: call,
		}
	}
	hold := func(name string) func(context.Context, *Call) (Result, error) {
		return func(ctx context.Context, c *Call) (Result, error) {
			f.entered <- name
			select {
			case <-f.release:
				return Result{Structured: json.RawMessage(`{"held":"` + name + `"}`)}, nil
			case <-ctx.Done():
				return Result{}, ctx.Err()
			}
		}
	}
	server, err := NewServer([]Tool{
		simple("kb_echo", echoSchema, false, func(_ context.Context, c *Call) (Result, error) {
			return Result{Structured: c.Arguments}, nil
		}),
		simple("kb_hold", nothingSchema, false, hold("kb_hold")),
		simple("kb_hold_write", nothingSchema, true, hold("kb_hold_write")),
		simple("kb_budget", nothingSchema, false, func(_ context.Context, c *Call) (Result, error) {
			empty := Result{Structured: json.RawMessage(`{"fill":""}`), Text: "-"}
			fill := strings.Repeat("x", c.Budget-empty.Size())
			return Result{Structured: json.RawMessage(`{"fill":"` + fill + `"}`), Text: "-"}, nil
		}),
		simple("kb_progress", nothingSchema, false, func(_ context.Context, c *Call) (Result, error) {
			for _, done := range []int{0, 1, 2, 2, 3} {
				c.Progress(done, 3, "")
			}
			c.Log(Warning, "test", map[string]string{"event": "<done>"})
			return Result{Structured: json.RawMessage("{}")}, nil
		}),
		simple("kb_missing", nothingSchema, false, func(context.Context, *Call) (Result, error) {
			p, _ := stratum.ParsePath("a/b.md")
			return Result{}, fmt.Errorf("look: %w", stratum.ErrNotFound(p))
		}),
		simple("kb_broken", nothingSchema, true, func(context.Context, *Call) (Result, error) {
			return Result{}, fmt.Errorf("open /secret/place: no such file")
		}),
		simple("kb_panic", nothingSchema, true, func(context.Context, *Call) (Result, error) {
			panic("/secret/place")
		}),
	}, opts)
	if err != nil {
		t.Fatal(err)
	}
	f.Server = server
	return f
}

// Handle is Submit for a caller that waits for the answer.
func (c *Conn) Handle(ctx context.Context, in Incoming) Reply {
	done := make(chan Reply, 1)
	c.Submit(ctx, in, func(r Reply) { done <- r })
	return <-done
}

// wire connects a client whose every line is a message.
func (f *fixture) wire(t *testing.T) vaulttest.Wire {
	t.Helper()
	lines := make(chan string, 100)
	var open sync.WaitGroup
	conn := f.Connect(new(Session), func(line []byte) { lines <- string(line) })
	return vaulttest.Wire{
		Send: func(line string) {
			open.Add(1)
			conn.Submit(context.WithoutCancel(t.Context()), Decode([]byte(line)), func(r Reply) {
				if r.Body != nil {
					lines <- string(r.Body)
				}
				open.Done()
			})
		},
		Lines: lines,
		Close: func() {
			open.Wait()
			conn.Close()
			close(lines)
		},
	}
}

func TestConversations(t *testing.T) {
	for _, file := range []string{"lifecycle", "messages", "tools_call", "batch", "logging"} {
		t.Run(file, func(t *testing.T) {
			vaulttest.Converse(t, "testdata/"+file+".txtar", func(t *testing.T) vaulttest.Wire {
				return newFixture(t, Options{Title: "Test", Instructions: "Do."}).wire(t)
			})
		})
	}
}
