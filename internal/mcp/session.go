package mcp

import (
	"context"
	"sync"
	"sync/atomic"
)

// Session is what outlives a single message: the log level that the client
// asked for and the calls that it may cancel. A stdio connection has one;
// over HTTP several connections may share one. The zero Session is ready.
type Session struct {
	level atomic.Int32 // a Level

	mu      sync.Mutex // guards running and the state of its members
	running map[*pending]struct{}
}

// Level returns the least severe level that the session asked for; the zero
// Level when it asked for none.
func (s *Session) Level() Level { return Level(s.level.Load()) }

// SetLevel sets what Level returns.
func (s *Session) SetLevel(l Level) { s.level.Store(int32(l)) }

// pending is a tool call that was accepted and is not answered yet.
type pending struct {
	session *Session
	id      string // as sent
	mutates bool
	ctx     context.Context
	cancel  context.CancelFunc

	begun     bool // the tool runs; guarded by session.mu
	cancelled bool // it gets no answer; guarded by session.mu
}

// accept makes a call known, so that it can be cancelled from now on.
func (s *Session) accept(ctx context.Context, id []byte, mutates bool) *pending {
	p := &pending{session: s, id: string(id), mutates: mutates}
	p.ctx, p.cancel = context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		s.running = make(map[*pending]struct{})
	}
	s.running[p] = struct{}{}
	return p
}

// begin marks the call as running and returns the context to run in. It fails
// when the call or its connection was cancelled before.
func (p *pending) begin() (context.Context, error) {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	p.begun = true
	if p.mutates {
		return context.WithoutCancel(p.ctx), nil
	}
	return p.ctx, nil
}

// finish forgets the call and reports whether it is to be answered.
func (p *pending) finish() bool {
	p.cancel()
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	delete(p.session.running, p)
	return !p.cancelled
}

func (p *pending) isCancelled() bool {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	return p.cancelled
}

// cancelCall cancels the calls with this id, except mutations that have begun
// (decision 1.11). An unknown id is none of our business: the answer may have
// crossed the notification.
func (s *Session) cancelCall(id []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.running {
		if p.id == string(id) && !(p.mutates && p.begun) {
			p.cancelled = true
			p.cancel()
		}
	}
}
