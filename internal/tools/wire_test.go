package tools

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"stratum/internal/kb"
	"stratum/internal/mcp"
	"stratum/internal/vaulttest"
)

// garden is a small vault in which every tool finds something.
const garden = `
-- index.md --
---
title: The Garden
aliases: [home]
tags: [map]
---
# Welcome

See [[soil]] and [[plants/tomato|the tomato]].

Not yet written: [[compost]].
-- soil.md --
Good soil feeds every tomato. #earth

The garden begins with a spade. #earth/clay
-- plants/tomato.md --
---
tags: [plant]
---
- TODO water it daily
  .id: 65f8a1e2-3a4b-4c5d-8e6f-7a8b9c0d1e2f
- needs [[soil]]
-- plants/empty-note.md --
---
title: Nothing here yet
tags: plant
---
`

// openKB opens the vault at dir and waits until its index is level.
func openKB(t testing.TB, dir string) *kb.KB {
	t.Helper()
	k, err := kb.Open(dir, kb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := k.Settle(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return k
}

func openServer(t testing.TB, dir string, opts mcp.Options) *mcp.Server {
	t.Helper()
	s, err := NewServer(openKB(t, dir), opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wire connects a client whose every line is a message.
func wire(t *testing.T, s *mcp.Server) vaulttest.Wire {
	t.Helper()
	lines := make(chan string, 1000)
	var open sync.WaitGroup
	conn := s.Connect(new(mcp.Session), func(line []byte) { lines <- string(line) })
	return vaulttest.Wire{
		Send: func(line string) {
			open.Add(1)
			conn.Submit(context.WithoutCancel(t.Context()), mcp.Decode([]byte(line)), func(r mcp.Reply) {
				defer open.Done()
				if r.Body != nil {
					lines <- string(r.Body)
				}
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

// handle sends one message on a connection of its own and waits for the answer.
func handle(t testing.TB, s *mcp.Server, line string) mcp.Reply {
	t.Helper()
	conn := s.Connect(new(mcp.Session), nil)
	defer conn.Close()
	done := make(chan mcp.Reply, 1)
	conn.Submit(t.Context(), mcp.Decode([]byte(line)), func(r mcp.Reply) { done <- r })
	return <-done
}

// TestConversations plays testdata: a file for each tool, and one for what
// they do together. Each conversation has a garden of its own.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) != len(contract)+1 {
		t.Fatalf("%d conversations, want one for each tool and session.txtar: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			vaulttest.Converse(t, file, func(t *testing.T) vaulttest.Wire {
				return wire(t, openServer(t, vaulttest.New(t, garden), mcp.Options{}))
			})
		})
	}
}

// call runs one tool and reads its answer into T.
func call[T any](t testing.TB, s *mcp.Server, name string, args any) (v T) {
	t.Helper()
	answer, err := Run(t.Context(), s, name, marshal(args))
	if err != nil {
		t.Fatalf("%s(%v): %v", name, args, err)
	}
	if err := json.Unmarshal(answer, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}
