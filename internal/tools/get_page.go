package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type getPageArgs struct {
	Path string `json:"path"`
}

func getPage(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_get_page",
		Description: "Reads one note by its path: the exact Markdown text (content), frontmatter, tags, outgoing [[wiki-links]], and modified_at. " +
			"Use it once kb_search, kb_list_pages or kb_autocomplete has given the path. Keep modified_at: kb_write_page and kb_delete_page take it as expected_modified. " +
			"A very large note is cut and says truncated: true.",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[getPageArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			path, err := stratum.ParsePath(args.Path)
			if err != nil {
				return mcp.Result{}, err
			}
			doc, err := k.GetPage(ctx, path)
			if err != nil {
				return mcp.Result{}, err
			}
			return note(doc, c.Budget), nil
		},
	}
}
