package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"stratum"
	"stratum/internal/mcp"
	"stratum/internal/vaulttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a server with a tool that answers at once and two that wait
// until the test lets them go.
type fixture struct {
	*mcp.Server
	release chan struct{}
	runs    chan string // the name of each call of a waiting tool, as it starts
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{release: make(chan struct{}), runs: make(chan string, 100)}
	tool := func(name string, mutates bool, call func(context.Context, *mcp.Call) (mcp.Result, error)) mcp.Tool {
		return mcp.Tool{
			Name: name, InputSchema: json.RawMessage(`{"type":"object"}`),
			Scope: stratum.ScopeRead, Mutates: mutates, Call: call,
		}
	}
	wait := func(ctx context.Context, _ *mcp.Call) (mcp.Result, error) {
		f.runs <- "wait"
		select {
		case <-f.release:
			return mcp.Result{Structured: json.RawMessage(`{}`)}, nil
		case <-ctx.Done():
			return mcp.Result{}, ctx.Err()
		}
	}
	server, err := mcp.NewServer([]mcp.Tool{
		tool("length", false, func(_ context.Context, c *mcp.Call) (mcp.Result, error) {
			return mcp.Result{Structured: fmt.Appendf(nil, `{"length":%d}`, len(c.Arguments))}, nil
		}),
		tool("wait", false, wait),
		tool("wait_write", true, wait),
	}, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Server = server
	return f
}

// serveText runs a session on a whole input and returns what came out, line
// by line.
func (f *fixture) serveText(t *testing.T, in io.Reader) []string {
	t.Helper()
	var out strings.Builder
	s := Stdio{Server: f.Server, In: in, Out: &out, BodyMax: 10_000}
	if err := s.Serve(t.Context()); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	text, ended := strings.CutSuffix(out.String(), "\n")
	if !ended && text != "" {
		t.Errorf("the last line has no newline: %q", text)
	}
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

const (
	ping1 = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	ping2 = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	pong1 = `{"jsonrpc":"2.0","id":1,"result":{}}`
	pong2 = `{"jsonrpc":"2.0","id":2,"result":{}}`
)

func callLine(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines %.300q, want %d", len(got), got, len(want))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("line %d is %.300s, want %s in it", i+1, got[i], want[i])
		}
	}
}

func TestLines(t *testing.T) {
	padded := func(total int) string { // a ping of so many bytes
		return ping1[:len(ping1)-1] + strings.Repeat(" ", total-len(ping1)) + "}"
	}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"one", ping1 + "\n", []string{pong1}},
		{"a last line without newline", ping1 + "\n" + ping2, []string{pong1, pong2}},
		{"CRLF", ping1 + "\r\n" + ping2 + "\r\n", []string{pong1, pong2}},
		{"a last line that ends in CR", ping1 + "\r", []string{pong1}},
		{"blank lines", "\n\r\n  \t \r\n" + ping1 + "\n\n\n" + ping2 + "\n\n", []string{pong1, pong2}},
		{"no JSON and on", "hello\n" + ping1 + "\n", []string{"-32700", pong1}},
		{"at the limit", padded(10_000+lineSlack) + "\n" + ping2, []string{pong1, pong2}},
		{"at the limit with CRLF", padded(10_000+lineSlack) + "\r\n" + ping2, []string{pong1, pong2}},
		{"over the limit", padded(10_001+lineSlack) + "\n" + ping2, []string{`"id":null,"error":{"code":-32600`, pong2}},
		{"far over it", padded(500_000) + "\n" + ping2, []string{"-32600", pong2}},
		{"far over it at the end", ping2 + "\n" + padded(500_000), []string{pong2, "-32600"}},
		{"two too long", padded(50_000) + "\n" + padded(50_000) + "\n" + ping1, []string{"-32600", "-32600", pong1}},
		{"only notifications", `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n", nil},
		{"a batch", "[" + ping1 + "," + ping2 + "]\n", []string{"[" + pong1 + "," + pong2 + "]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			wantLines(t, f.serveText(t, strings.NewReader(tt.in)), tt.want...)
			wantLines(t, f.serveText(t, iotest.HalfReader(strings.NewReader(tt.in))), tt.want...)
		})
	}
}

// pipe is a session whose two ends the test holds.
type pipe struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	done  chan error
	out   *io.PipeReader
}

func (f *fixture) open(ctx context.Context, t *testing.T) *pipe {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &pipe{t: t, in: inW, out: outR, lines: make(chan string, 1000), done: make(chan error, 1)}
	go func() {
		s := Stdio{Server: f.Server, In: inR, Out: outW}
		err := s.Serve(ctx)
		outW.Close()
		p.done <- err
	}()
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(outR); scan.Scan(); {
			p.lines <- scan.Text()
		}
	}()
	return p
}

func (p *pipe) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.t.Fatalf("send: %v", err)
		}
	}
}

func TestConversation(t *testing.T) {
	vaulttest.Converse(t, "testdata/stdio.txtar", func(t *testing.T) vaulttest.Wire {
		p := newFixture(t).open(t.Context(), t)
		return vaulttest.Wire{
			Send:  func(line string) { p.send(line) },
			Lines: p.lines,
			Close: func() {
				p.in.Close()
				if err := <-p.done; err != nil {
					t.Errorf("Serve: %v", err)
				}
			},
		}
	})
}

func TestEnd(t *testing.T) {
	run := func(name string, play func(t *testing.T, f *fixture, p *pipe, stop func())) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				p := f.open(ctx, t)
				defer p.out.Close()
				defer p.in.Close()
				play(t, f, p, stop)
			})
		})
	}
	run("of input answers every accepted request", func(t *testing.T, f *fixture, p *pipe, _ func()) {
		p.send(callLine(1, "wait"), callLine(2, "wait_write"), callLine(3, "length"), ping2)
		p.in.Close()
		synctest.Wait()
		time.Sleep(time.Hour)
		select {
		case err := <-p.done:
			t.Fatalf("Serve ended with calls running: %v", err)
		default:
		}
		close(f.release)
		if err := <-p.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		synctest.Wait()
		if len(p.lines) != 4 {
			t.Errorf("%d answers, want 4", len(p.lines))
		}
	})
	run("of the context lets calls finish within the grace", func(t *testing.T, f *fixture, p *pipe, stop func()) {
		p.send(callLine(1, "wait"))
		synctest.Wait()
		stop()
		time.Sleep(time.Second)
		close(f.release)
		if err := <-p.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if got := <-p.lines; !strings.Contains(got, `"result"`) {
			t.Errorf("answer %s, want a result", got)
		}
	})
	run("of the context cancels reads after the grace", func(t *testing.T, _ *fixture, p *pipe, stop func()) {
		p.send(callLine(1, "wait"))
		synctest.Wait()
		began := time.Now()
		stop()
		if err := <-p.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if took := time.Since(began); took != defaultGrace {
			t.Errorf("Serve took %v, want the grace of %v", took, defaultGrace)
		}
		if got := <-p.lines; !strings.Contains(got, "-32603") {
			t.Errorf("answer %s, want an error", got)
		}
	})
	run("of the context waits for a mutation no longer than its deadline", func(t *testing.T, f *fixture, p *pipe, stop func()) {
		p.send(callLine(1, "wait_write"))
		synctest.Wait()
		began := time.Now()
		stop()
		if err := <-p.done; !errors.Is(err, ErrUnfinished) {
			t.Errorf("Serve: %v, want %v", err, ErrUnfinished)
		}
		if took := time.Since(began); took != defaultGrace+defaultGrace/4 {
			t.Errorf("Serve took %v", took)
		}
		close(f.release)
	})
	run("of the context takes no further request", func(t *testing.T, f *fixture, p *pipe, stop func()) {
		synctest.Wait()
		stop()
		if err := <-p.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		p.send(callLine(1, "wait")) // the read that was under way
		synctest.Wait()
		if len(f.runs) != 0 {
			t.Error("a request was run after the end")
		}
	})
	run("of output is an error and cancels reads", func(t *testing.T, _ *fixture, p *pipe, _ func()) {
		p.send(callLine(1, "wait"))
		p.out.Close()
		p.send(ping1)
		if err := <-p.done; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve: %v, want the broken pipe", err)
		}
	})
	run("of input by an error is that error", func(t *testing.T, _ *fixture, p *pipe, _ func()) {
		p.send(ping1)
		broken := errors.New("cable cut")
		p.in.CloseWithError(broken)
		if err := <-p.done; !errors.Is(err, broken) {
			t.Errorf("Serve: %v, want %v", err, broken)
		}
		wantLines(t, []string{<-p.lines}, pong1)
	})
}

// chunkWriter fails the test when two writes meet, or one is no whole line.
type chunkWriter struct {
	t    *testing.T
	busy sync.Mutex
	n    int
}

func (w *chunkWriter) Write(b []byte) (int, error) {
	if !w.busy.TryLock() {
		w.t.Error("two writes met")
		return len(b), nil
	}
	defer w.busy.Unlock()
	if strings.Count(string(b), "\n") != 1 || b[len(b)-1] != '\n' || !json.Valid(b) {
		w.t.Errorf("a write is no line: %.100q", b)
	}
	w.n++
	return len(b), nil
}

func TestManyAtOnce(t *testing.T) {
	const calls = 2000
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":"l","method":"logging/setLevel","params":{"level":"debug"}}` + "\n")
	for i := range calls {
		in.WriteString(callLine(i, "length") + "\n")
	}
	f := newFixture(t)
	out := &chunkWriter{t: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 100 {
			f.Log(mcp.Info, "test", "a message between the answers")
		}
	}()
	s := Stdio{Server: f.Server, In: strings.NewReader(in.String()), Out: out}
	if err := s.Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if out.n < calls+1 {
		t.Errorf("%d lines, want at least %d", out.n, calls+1)
	}
}
