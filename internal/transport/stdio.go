// Package transport carries MCP messages between clients and the protocol
// core: bytes, lines and limits, and nothing about what they mean.
package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"stratum"
	"stratum/internal/mcp"
)

const (
	// lineSlack is what a line may have beyond MCP_BODY_MAX (decision 1.10).
	lineSlack = 4 << 10
	// defaultGrace is how long running calls may go on once the session is
	// told to stop.
	defaultGrace = 3 * time.Second
	// backlogMax bounds the bytes of requests that were read and not answered
	// yet; above it, reading waits for answers.
	backlogMax = 64 << 20
	// backlogEach is what a request counts beside its own bytes: a client that
	// sends and does not read should not fill our memory with answers.
	backlogEach = 128 << 10
)

// ErrUnfinished says that a session was told to stop and that calls were
// still running at its deadline. What they work on must not be closed under
// them: the process should end instead.
var ErrUnfinished = errors.New("calls were still running at the deadline")

// Stdio serves one client over a pair of streams, line by line (contract
// §2.2). The zero values of BodyMax and Grace mean their defaults.
type Stdio struct {
	Server  *mcp.Server
	In      io.Reader
	Out     io.Writer
	BodyMax int           // MCP_BODY_MAX, bytes; a longer line is refused
	Grace   time.Duration // for calls still running when ctx ends
}

// Serve runs the session. At the end of In it answers every accepted request
// and returns nil. When ctx ends it stops reading, gives running calls the
// grace, and returns nil, or ErrUnfinished. It returns an error when In cannot
// be read or Out cannot be written. It may leave one goroutine behind that still reads In:
// a read cannot be interrupted.
func (s *Stdio) Serve(ctx context.Context) error {
	// Calls do not end with ctx, but when the session decides so.
	calls, cancelCalls := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancelCalls(nil)
	out := &lineWriter{w: s.Out, broken: make(chan struct{})}
	conn := s.Server.Connect(new(mcp.Session), out.write)
	defer conn.Close()

	session := &stdioSession{
		conn: conn, out: out, calls: calls,
		backlog: semaphore.NewWeighted(backlogMax),
		bodyMax: orDefault(s.BodyMax, stratum.BodyMax),
	}
	reading, stopReading := context.WithCancel(ctx)
	defer stopReading()
	finished := make(chan error, 1)
	go func() {
		err := session.read(reading, s.In)
		session.answers.Wait()
		finished <- err
	}()

	select {
	case err := <-finished:
		return errors.Join(err, out.err())
	case <-out.broken:
		cancelCalls(context.Canceled) // nobody will read the answers
	case <-ctx.Done():
	}
	return s.drain(session, cancelCalls)
}

// drain lets accepted calls end: within the grace undisturbed, then for a
// moment after reads have been cancelled. Mutations are never cut short by
// the session itself.
func (s *Stdio) drain(session *stdioSession, cancel context.CancelCauseFunc) error {
	session.stop()
	grace := orDefault(s.Grace, defaultGrace)
	idle := make(chan struct{})
	go func() {
		session.answers.Wait()
		close(idle)
	}()
	for _, wait := range []time.Duration{grace, grace / 4} {
		select {
		case <-idle:
			return session.out.err()
		case <-time.After(wait):
			cancel(context.Canceled)
		}
	}
	return errors.Join(session.out.err(), ErrUnfinished)
}

func orDefault[T int | time.Duration](value, preset T) T {
	if value > 0 {
		return value
	}
	return preset
}

// stdioSession is the state of one Serve.
type stdioSession struct {
	conn    *mcp.Conn
	out     *lineWriter
	calls   context.Context // ends the calls, not the reading
	backlog *semaphore.Weighted
	bodyMax int

	mu      sync.Mutex // guards stopped and the growth of answers
	stopped bool
	answers sync.WaitGroup // requests accepted and not answered
}

// stop makes accept refuse everything from now on.
func (s *stdioSession) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
}

// accept counts one message in; false once the session has stopped.
func (s *stdioSession) accept() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.answers.Add(1)
	return true
}

// read submits every line until the input or ctx ends.
func (s *stdioSession) read(ctx context.Context, in io.Reader) error {
	lines := newLineReader(in, s.bodyMax+lineSlack)
	for ctx.Err() == nil {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLineTooLong):
			if s.accept() {
				s.answer(mcp.Refuse(tooLong(s.bodyMax)))
				s.answers.Done()
			}
			continue
		case err != nil:
			return fmt.Errorf("read standard input: %w", err)
		}
		cost := min(backlogMax, int64(len(line)+backlogEach))
		if s.backlog.Acquire(ctx, cost) != nil || !s.accept() {
			return nil
		}
		s.conn.Submit(s.calls, mcp.Decode(line), func(r mcp.Reply) {
			s.answer(r)
			s.backlog.Release(cost)
			s.answers.Done()
		})
	}
	return nil
}

func (s *stdioSession) answer(r mcp.Reply) {
	if r.Body != nil {
		s.out.write(r.Body)
	}
}

func tooLong(bodyMax int) *stratum.Error {
	return &stratum.Error{
		Kind:    stratum.InvalidRequest,
		Message: fmt.Sprintf("The message is longer than the %d bytes that the server takes (MCP_BODY_MAX), so it was not read.", bodyMax),
		Hint:    "Send less at once; write a long note as several notes that link to each other.",
	}
}
