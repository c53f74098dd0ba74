package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"stratum/internal/kb"
)

type indexCmd struct {
	Rebuild bool `help:"Build the index anew instead of refreshing what changed."`
	vaultArg
	settings
}

// Run brings index and blocks.db level and returns when both are.
func (c *indexCmd) Run(ctx context.Context, std streams) (err error) {
	began := time.Now()
	k, err := c.open(c.vaultArg, c.logger(std))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	show := progressOn(std.err)
	if err := k.Settle(ctx, show.step); err != nil {
		return err
	}
	st, err := k.Reindex(ctx, c.Rebuild, show.step)
	if err != nil {
		return err
	}
	show.end()
	if !st.IndexFresh {
		fmt.Fprintln(std.err, "Notes changed meanwhile; run the command again for what came last.")
	}
	_, err = fmt.Fprintf(std.out, "%d notes, %d blocks indexed in %s\n",
		st.IndexedPages, st.IndexedBlocks, time.Since(began).Round(time.Millisecond))
	return err
}

// shown is progress on its way to the operator: a bar on a terminal, a line
// every so often elsewhere.
type shown struct {
	step kb.Progress
	end  func()
}

// lineEvery is how often a line tells how far the work is.
const lineEvery = 2 * time.Second

func progressOn(w io.Writer) shown {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		bar := progressbar.NewOptions(1000, progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription("indexing"), progressbar.OptionClearOnFinish())
		return shown{
			step: func(done, total int) { _ = bar.Set(1000 * done / max(1, total)) },
			end:  func() { _ = bar.Finish() },
		}
	}
	var last time.Time
	return shown{
		step: func(done, total int) {
			if now := time.Now(); now.Sub(last) >= lineEvery {
				last = now
				fmt.Fprintf(w, "indexing: %d %%\n", 100*done/max(1, total))
			}
		},
		end: func() {},
	}
}
