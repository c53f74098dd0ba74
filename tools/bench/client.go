package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// client speaks to one server over stdio, one request at a time.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func dial(bin, vault string) (*client, error) {
	cmd := exec.Command(bin, "--stdio", vault)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &client{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}, nil
}

func (c *client) close() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

// request sends one request and returns its result.
func (c *client) request(method string, params any) (json.RawMessage, error) {
	c.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var answer struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return nil, fmt.Errorf("answer %q: %w", line, err)
		}
		switch {
		case answer.ID == nil: // a notification
		case *answer.ID != c.id:
			return nil, fmt.Errorf("answer to %d, want %d", *answer.ID, c.id)
		case answer.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, answer.Error)
		default:
			return answer.Result, nil
		}
	}
}

// tool calls a tool and returns its structured content.
func (c *client) tool(name string, args map[string]any) (map[string]any, error) {
	raw, err := c.request("tools/call", map[string]any{"name": name, "arguments": args})
	if err != nil {
		return nil, err
	}
	var result struct {
		StructuredContent map[string]any `json:"structuredContent"`
	}
	err = json.Unmarshal(raw, &result)
	return result.StructuredContent, err
}

// memory returns the server's resident memory and its peak, in MB, where the
// system tells.
func (c *client) memory() (now, peak float64, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0, 0, false
	}
	for line := range strings.Lines(string(b)) {
		var kib float64
		switch {
		case scan(line, "VmRSS:", &kib):
			now = kib / 1024
		case scan(line, "VmHWM:", &kib):
			peak = kib / 1024
		}
	}
	return now, peak, now > 0
}

func scan(line, key string, kib *float64) bool {
	rest, ok := strings.CutPrefix(line, key)
	if !ok {
		return false
	}
	_, err := fmt.Sscanf(strings.TrimSpace(rest), "%f", kib)
	return err == nil
}
