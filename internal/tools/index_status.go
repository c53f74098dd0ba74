package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

func indexStatus(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_index_status",
		Description: "Tells whether the index agrees with the notes on disk (index_fresh), and how many notes and blocks it holds of how many. " +
			"Use it when search results are surprising or a call answered VaultLocked while indexing; kb_reindex mends what it shows.",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			status, err := k.IndexStatus(ctx)
			if err != nil {
				return mcp.Result{}, err
			}
			return answer(status, c.Budget), nil
		},
	}
}
