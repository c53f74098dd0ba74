package tools

import (
	"context"
	"iter"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type backlinksArgs struct {
	Path            string `json:"path"`
	IncludeUnlinked bool   `json:"include_unlinked"`
}

// backlinkRow is a backlink, with the flag for one that had to be cut.
type backlinkRow struct {
	stratum.Backlink
	Truncated bool `json:"truncated,omitempty"`
}

func backlinks(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_backlinks",
		Description: "Tells what points to a note: blocks that link to it (is_linked: true) first, then, unless include_unlinked is false, blocks that mention its title, file name or an alias without a link. " +
			"Use it to learn in which contexts a note is used, or what deleting or renaming it would break. Each comes with source_page and the text around (context).",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[backlinksArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			path, err := stratum.ParsePath(args.Path)
			if err != nil {
				return mcp.Result{}, err
			}
			found, err := k.Backlinks(ctx, path, args.IncludeUnlinked)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodeBacklinks(found, c.Budget)
		},
	}
}

func encodeBacklinks(found iter.Seq2[stratum.Backlink, error], budget int) (mcp.Result, error) {
	out := newList("backlinks", budget)
	var tail cuttable
	for b, err := range found {
		if err != nil {
			return mcp.Result{}, err
		}
		row := backlinkRow{Backlink: b}
		if !out.add(item{&row, &row.Context, &row.Truncated}, tailRoom) {
			tail.Truncated = true
			break
		}
	}
	return out.result(tail), nil
}
