package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"stratum"
)

type statusCmd struct {
	vaultArg
	settings
}

// Run prints the state of the vault's index as this process, once it has
// loaded the index, finds it.
func (c *statusCmd) Run(ctx context.Context, std streams) (err error) {
	c.LogLevel = max(c.LogLevel, quiet)
	k, err := c.open(c.vaultArg, c.logger(std))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	wait, cancel := context.WithTimeout(ctx, c.IndexWait)
	defer cancel()
	settled := k.Settle(wait, nil)
	st, err := k.IndexStatus(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "vault\t%s\n", k.Dir())
	fmt.Fprintf(w, "notes\t%d on disk, %d indexed\n", st.TotalPages, st.IndexedPages)
	fmt.Fprintf(w, "blocks\t%d\n", st.IndexedBlocks)
	fmt.Fprintf(w, "index\t%s\n", freshness(st.IndexFresh, settled))
	if st.LastIndexedAt != nil {
		fmt.Fprintf(w, "last indexed\t%s\n", *st.LastIndexedAt)
	}
	fmt.Fprintf(w, "index memory\t%s\n", mebibytes(k.IndexBytes()))
	if n, ok := residentBytes(); ok {
		fmt.Fprintf(w, "resident memory\t%s with the index loaded, as a server has it\n", mebibytes(n))
	}
	return w.Flush()
}

func freshness(fresh bool, settled error) string {
	switch {
	case fresh:
		return "fresh"
	case errors.Is(settled, context.DeadlineExceeded):
		return "not fresh: still being built; stratum-mcp index waits until it is done"
	case settled != nil:
		return "not fresh: " + stratum.AsError(settled).Message
	default:
		return "not fresh: notes are changing; stratum-mcp index brings it level"
	}
}

func mebibytes(n int) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
