package main

import (
	"context"
	"errors"
	"log/slog"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"stratum/internal/kb"
	"stratum/internal/mcp"
	"stratum/internal/tools"
	"stratum/internal/transport"
	"stratum/internal/watch"
)

type serveCmd struct {
	Stdio bool `env:"MCP_STDIO" help:"Serve one client on standard input and output."`
	vaultArg
	settings
	ResponseMax int `env:"MCP_RESPONSE_MAX" default:"1048576" help:"Most bytes of one tool's answer."`
	BodyMax     int `env:"MCP_BODY_MAX" default:"2097152" help:"Most bytes of one message from a client."`
}

// Run serves the vault until the client ends its input or a signal comes.
func (c *serveCmd) Run(ctx context.Context, std streams) (err error) {
	if !c.Stdio {
		return errors.New("say how to serve: stratum-mcp --stdio VAULT; see stratum-mcp --help for the other commands")
	}
	log := c.logger(std)
	k, err := c.open(c.vaultArg, log)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // a client that is gone ends the session, not the process
	server, err := tools.NewServer(k, mcp.Options{ResponseMax: c.ResponseMax, Logger: log})
	if err != nil {
		return errors.Join(err, k.Close())
	}
	stop, err := follow(k, server, log)
	if err != nil {
		return errors.Join(err, k.Close())
	}
	t := transport.Stdio{Server: server, In: std.in, Out: std.out, BodyMax: c.BodyMax}
	err = t.Serve(ctx)
	if errors.Is(err, transport.ErrUnfinished) {
		// A call is still at work on the vault, which is safe at any instant
		// but must not be closed under it.
		log.Warn("a call was still running when the server was told to stop")
		return nil
	}
	return errors.Join(err, closeSoon(func() error {
		stop()
		return k.Close()
	}, log))
}

// closeWithin is how long closing the vault may take: a process manager waits
// ten seconds in all.
const closeWithin = 5 * time.Second

// closeSoon closes the vault, or leaves that to the end of the process where
// the background work does not end in time. Nothing is lost: whatever stands
// on the disk at that instant is where the next start begins.
func closeSoon(end func() error, log *slog.Logger) error {
	done := make(chan error, 1)
	go func() { done <- end() }()
	select {
	case err := <-done:
		return err
	case <-time.After(closeWithin):
		log.Warn("background work was still running when the server was told to stop")
		return nil
	}
}

// follow has the index follow what other programs do to the notes until stop
// is called.
func follow(k *kb.KB, server *mcp.Server, log *slog.Logger) (stop func(), err error) {
	w, err := watch.New(k.Dir(), watch.Options{})
	if err != nil {
		return nil, err
	}
	log.Debug("watching the notes", "mode", w.Mode())
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		// What changed before the watches stood is found by a scan.
		tell(ctx, log, k.Reconcile(ctx))
		for e := range w.Events() {
			if e.Trouble != "" {
				log.Warn(e.Trouble)
				// A client that does not read must not hold up the index.
				go server.Log(mcp.Warning, "watch", e.Trouble)
			}
			tell(ctx, log, apply(ctx, k, e))
		}
	})
	return func() {
		cancel()
		if err := w.Close(); err != nil {
			log.Warn("end watching", "error", err)
		}
		done.Wait()
	}, nil
}

func tell(ctx context.Context, log *slog.Logger, err error) {
	if err != nil && ctx.Err() == nil {
		log.Warn("follow changes on the disk", "error", err)
	}
}

// apply refreshes the notes that an event names, even when it asks for a scan
// too: a scan does not see an edit that left size and mtime as they were.
func apply(ctx context.Context, k *kb.KB, e watch.Event) error {
	if err := k.Refresh(ctx, e.Paths); err != nil || !e.Rescan {
		return err
	}
	return k.Reconcile(ctx)
}
