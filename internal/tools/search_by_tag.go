package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/markdown"
	"stratum/internal/mcp"
)

type searchByTagArgs struct {
	Tag   string `json:"tag"`
	Limit int    `json:"limit"`
}

func searchByTag(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_search_by_tag",
		Description: "Finds what carries a tag: blocks of notes with the tag in their frontmatter, and blocks with the inline #tag; children such as tag/sub count. " +
			"The # may be left out. Comes back as kb_search does, without paging: truncated: true says that total is more than was given (raise limit). " +
			"kb_autocomplete with kind tag tells which tags there are.",
		Annotations: reads,
		Scope:       stratum.ScopeSearch,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[searchByTagArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			tag, err := markdown.CleanTag(args.Tag)
			if err != nil {
				return mcp.Result{}, err
			}
			found, err := k.SearchByTag(ctx, tag, args.Limit)
			if err != nil {
				return mcp.Result{}, err
			}
			out, _, err := encodeHits(found, args.Limit, c.Budget)
			if err != nil {
				return mcp.Result{}, err
			}
			return out.result(searchTail{Total: found.Total, Truncated: found.Total > out.len}), nil
		},
	}
}
