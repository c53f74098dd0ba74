// Command stratum-mcp gives AI agents a vault of Markdown notes over the Model
// Context Protocol, and its owner the commands to set that up.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"stratum"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, streams{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:])
	stop()
	os.Exit(status)
}

// streams are what a command reads and writes, and nothing else does.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// cli is the command line. Each flag has a twin in the environment.
type cli struct {
	Serve        serveCmd        `cmd:"" default:"withargs" help:"Serve a vault (the default): stratum-mcp --stdio VAULT."`
	Init         initCmd         `cmd:"" help:"Make a folder of Markdown files a vault."`
	Index        indexCmd        `cmd:"" help:"Bring a vault's index level with its notes and wait until it is."`
	Status       statusCmd       `cmd:"" help:"Show what the index holds, how fresh it is and what it takes."`
	Call         callCmd         `cmd:"" help:"Call one tool and print its bare response."`
	ClientConfig clientConfigCmd `cmd:"" help:"Print the configuration that makes an MCP client start this server."`
	Version      versionCmd      `cmd:"" help:"Print the version."`
}

// exit is how a command line that asks for help ends without running anything.
type exit struct{ status int }

// run runs one command line and returns the process's exit status: 0, 1 when
// the command failed, 2 when the command line itself is wrong.
func run(ctx context.Context, std streams, args []string) (status int) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(exit)
			if !ok {
				panic(r)
			}
			status = e.status
		}
	}()
	var c cli
	parser, err := kong.New(&c,
		kong.Name(stratum.ServerName),
		kong.Description("A vault of Markdown notes for AI agents, over the Model Context Protocol."),
		kong.Writers(std.out, std.err),
		kong.Exit(func(status int) { panic(exit{status}) }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		fmt.Fprintln(std.err, "stratum-mcp:", err)
		return 2
	}
	k, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(std.err, "stratum-mcp: %s; see stratum-mcp --help\n", oneLine(err.Error()))
		return 2
	}
	if err := k.Run(); err != nil {
		report(std.err, err)
		return 1
	}
	return 0
}

// report prints an error for the operator: one line, or kind, message and hint
// on two where the error is of the contract's vocabulary.
func report(w io.Writer, err error) {
	if e, ok := errors.AsType[*stratum.Error](err); ok {
		fmt.Fprintf(w, "stratum-mcp: %s (%d): %s\n", e.Kind, e.Kind.Code(), e.Message)
		for _, f := range e.Errors {
			fmt.Fprintf(w, "  %s: %s\n", orWhole(f.Path), f.Message)
		}
		fmt.Fprintf(w, "hint: %s\n", e.Hint)
		return
	}
	fmt.Fprintln(w, "stratum-mcp:", oneLine(err.Error()))
}

func orWhole(pointer string) string {
	if pointer == "" {
		return "arguments"
	}
	return pointer
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type versionCmd struct{}

// Run prints the name and the version.
func (versionCmd) Run(std streams) error {
	_, err := fmt.Fprintln(std.out, stratum.ServerName, stratum.Version)
	return err
}
