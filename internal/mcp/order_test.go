package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// player submits messages and collects the answers in the order they come.
type player struct {
	t       *testing.T
	conn    *Conn
	ctx     context.Context
	mu      sync.Mutex
	answers []string
	silent  int // messages that were answered with nothing
}

func newPlayer(t *testing.T, f *fixture) *player {
	t.Helper()
	p := &player{t: t, ctx: t.Context()}
	p.conn = f.Connect(new(Session), func(line []byte) { p.take(string(line)) })
	t.Cleanup(p.conn.Close)
	return p
}

func (p *player) take(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = append(p.answers, line)
}

func (p *player) send(line string) {
	p.conn.Submit(p.ctx, Decode([]byte(line)), func(r Reply) {
		if r.Body != nil {
			p.take(string(r.Body))
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.silent++
	})
}

func (p *player) call(id, tool string) {
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q}}`, id, tool))
}

func (p *player) cancel(id string) {
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id))
}

// ids returns the ids answered so far, in order, each with its error code.
func (p *player) ids() []string {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []string
	for _, a := range p.answers {
		var r struct {
			ID    json.RawMessage
			Error *struct{ Code int }
		}
		if err := json.Unmarshal([]byte(a), &r); err != nil {
			p.t.Fatalf("answer %s: %v", a, err)
		}
		id := string(r.ID)
		if r.Error != nil {
			id += fmt.Sprint(r.Error.Code)
		}
		ids = append(ids, id)
	}
	return ids
}

// entered returns the hold tools that have started since the last call.
func (f *fixture) started() []string {
	var names []string
	for {
		select {
		case name := <-f.entered:
			names = append(names, name)
		default:
			return names
		}
	}
}

func wantList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestOrder(t *testing.T) {
	t.Run("reads run side by side and pings overtake them", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, Options{})
			p := newPlayer(t, f)
			p.call("1", "kb_hold")
			p.call("2", "kb_hold")
			p.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
			p.send(`{"jsonrpc":"2.0","id":4,"method":"initialize"}`)
			synctest.Wait()
			wantList(t, "started", f.started(), "kb_hold", "kb_hold")
			wantList(t, "answered", p.ids(), "3", "4")
			close(f.release)
			synctest.Wait()
			if got := len(p.ids()); got != 4 {
				t.Errorf("%d answers, want 4", got)
			}
		})
	})
	t.Run("a mutation runs alone and later calls wait for it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, Options{})
			p := newPlayer(t, f)
			p.call("1", "kb_hold")
			p.call("2", "kb_hold_write")
			p.call("3", "kb_hold_write")
			p.call("4", "kb_hold")
			p.call("5", "kb_missing")
			synctest.Wait()
			wantList(t, "at first", f.started(), "kb_hold")
			f.release <- struct{}{}
			synctest.Wait()
			wantList(t, "after the read", f.started(), "kb_hold_write")
			f.release <- struct{}{}
			synctest.Wait()
			wantList(t, "after the first write", f.started(), "kb_hold_write")
			wantList(t, "answered", p.ids(), "1", "2")
			f.release <- struct{}{}
			synctest.Wait()
			wantList(t, "after the second write", f.started(), "kb_hold")
			wantList(t, "answered", p.ids(), "1", "2", "3", "5-32001")
			f.release <- struct{}{}
			synctest.Wait()
			wantList(t, "answered", p.ids(), "1", "2", "3", "5-32001", "4")
		})
	})
	t.Run("connections do not wait for each other", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, Options{})
			a, b := newPlayer(t, f), newPlayer(t, f)
			a.call("1", "kb_hold_write")
			b.call("1", "kb_missing")
			synctest.Wait()
			wantList(t, "answered", b.ids(), "1-32001")
			close(f.release)
		})
	})
	t.Run("a batch keeps its own order and its place", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, Options{})
			p := newPlayer(t, f)
			p.send(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kb_hold_write"}},` +
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"kb_hold"}}]`)
			p.call("3", "kb_hold")
			synctest.Wait()
			wantList(t, "at first", f.started(), "kb_hold_write")
			f.release <- struct{}{}
			synctest.Wait()
			wantList(t, "after the write", f.started(), "kb_hold")
			f.release <- struct{}{}
			synctest.Wait()
			wantList(t, "after the batch", f.started(), "kb_hold")
			close(f.release)
			synctest.Wait()
			if p.answers[0][0] != '[' || len(p.answers) != 2 {
				t.Errorf("answers %q, want the batch's array first", p.answers)
			}
		})
	})
	t.Run("no more run at once than allowed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, Options{Parallel: 2})
			p := newPlayer(t, f)
			for i := range 5 {
				p.call(fmt.Sprint(i), "kb_hold")
			}
			synctest.Wait()
			wantList(t, "started", f.started(), "kb_hold", "kb_hold")
			close(f.release)
			synctest.Wait()
			if got := len(p.ids()); got != 5 {
				t.Errorf("%d answers, want 5", got)
			}
		})
	})
}

func TestCancel(t *testing.T) {
	run := func(name string, play func(t *testing.T, f *fixture, p *player)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, Options{})
				play(t, f, newPlayer(t, f))
			})
		})
	}
	run("a running read gets no answer", func(t *testing.T, f *fixture, p *player) {
		p.call(`"a"`, "kb_hold")
		synctest.Wait()
		p.cancel(`"b"`)
		p.cancel(`"a"`)
		synctest.Wait()
		wantList(t, "answered", p.ids())
		if p.silent != 3 {
			t.Errorf("%d messages ended silently, want the call and two notifications", p.silent)
		}
	})
	run("a mutation that has begun completes", func(t *testing.T, f *fixture, p *player) {
		p.call("1", "kb_hold_write")
		synctest.Wait()
		p.cancel("1")
		synctest.Wait()
		close(f.release)
		synctest.Wait()
		wantList(t, "answered", p.ids(), "1")
	})
	run("a call that waits never starts", func(t *testing.T, f *fixture, p *player) {
		p.call("1", "kb_hold_write")
		p.call("2", "kb_hold_write")
		p.call("3", "kb_hold")
		synctest.Wait()
		p.cancel("2")
		p.cancel("3")
		close(f.release)
		synctest.Wait()
		wantList(t, "started", f.started(), "kb_hold_write")
		wantList(t, "answered", p.ids(), "1")
	})
	run("an element of a batch leaves no gap", func(t *testing.T, f *fixture, p *player) {
		p.send(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kb_hold"}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
		synctest.Wait()
		p.cancel("1")
		synctest.Wait()
		if want := `[{"jsonrpc":"2.0","id":2,"result":{}}]`; len(p.answers) != 1 || p.answers[0] != want {
			t.Errorf("answers %q, want %s", p.answers, want)
		}
	})
	run("the end of the connection's context refuses what has not begun", func(t *testing.T, f *fixture, p *player) {
		ctx, cancel := context.WithCancel(t.Context())
		p.ctx = ctx
		p.call("1", "kb_hold")
		p.call("2", "kb_hold_write")
		synctest.Wait()
		cancel()
		synctest.Wait()
		wantList(t, "started", f.started(), "kb_hold")
		wantList(t, "answered", p.ids(), "1-32603", "2-32603")
		p.ctx = t.Context()
		p.call("3", "kb_hold_write")
		synctest.Wait()
		close(f.release)
		synctest.Wait()
		wantList(t, "answered", p.ids(), "1-32603", "2-32603", "3")
		if !strings.Contains(p.answers[0], "cancelled") {
			t.Errorf("answer %s does not say that the call was cancelled", p.answers[0])
		}
	})
}

func TestProgressRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []int
		p := progress{}
		for done := range 101 {
			if p.due(done, 100) {
				sent = append(sent, done)
			}
			time.Sleep(20 * time.Millisecond)
		}
		// Two seconds at five a second, with the first and the last.
		if want := []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}; !slices.Equal(sent, want) {
			t.Errorf("sent %v, want %v", sent, want)
		}
		if p.due(100, 100) || p.due(50, 100) {
			t.Error("a report that does not increase was sent")
		}
	})
}
