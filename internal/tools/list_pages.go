package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type listPagesArgs struct {
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

// pageRow is a row of the list, with the flag for one that had to be cut.
type pageRow struct {
	stratum.PageSummary
	Truncated bool `json:"truncated,omitempty"`
}

type listPagesTail struct {
	NextCursor *string `json:"next_cursor"`
}

func listPages(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_list_pages",
		Description: "Lists all notes by path, a page at a time: path, slug, title, block_count, modified_at. " +
			"Use it to survey the vault or to go through every note; to find notes about something, kb_search is quicker. " +
			"While next_cursor is not null, call again with it as cursor.",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, after, err := decodeListPages(c)
			if err != nil {
				return mcp.Result{}, err
			}
			pages, more, err := k.ListPages(ctx, after, args.Limit)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodePages(pages, more, c.Budget), nil
		},
	}
}

func decodeListPages(c *mcp.Call) (args listPagesArgs, after stratum.Path, err error) {
	args, err = decode[listPagesArgs](c)
	if err != nil || args.Cursor == "" {
		return args, after, err
	}
	after, err = parseCursor(args.Cursor)
	return args, after, err
}

func encodePages(pages []stratum.PageSummary, more bool, budget int) mcp.Result {
	out := newList("pages", budget)
	for _, p := range pages {
		row := pageRow{PageSummary: p}
		if !out.add(item{&row, &row.Title, &row.Truncated}, tailRoom+2*cursorLen(p.Path)) {
			more = true
			break
		}
	}
	var tail listPagesTail
	if more && out.len > 0 {
		cursor := cursorAfter(pages[out.len-1].Path)
		tail.NextCursor = &cursor
	}
	return out.result(tail)
}
