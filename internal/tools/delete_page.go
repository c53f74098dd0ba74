package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type deletePageArgs struct {
	Path             string  `json:"path"`
	ExpectedModified *string `json:"expected_modified"`
}

func deletePage(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_delete_page",
		Description: "Deletes a note for good and takes it out of the index; links to it stay in other notes and no longer resolve (look at kb_backlinks first). " +
			"Pass the modified_at of kb_get_page as expected_modified to be sure to delete what you have read; otherwise the answer is Conflict. Answers {}.",
		Annotations: overrides,
		Scope:       stratum.ScopeWrite,
		Mutates:     true,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[deletePageArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			path, expected, err := parseGuarded(args.Path, args.ExpectedModified)
			if err != nil {
				return mcp.Result{}, err
			}
			if err := k.DeletePage(ctx, path, expected); err != nil {
				return mcp.Result{}, err
			}
			return answer(struct{}{}, c.Budget), nil
		},
	}
}
