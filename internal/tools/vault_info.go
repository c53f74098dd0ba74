package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

func vaultInfo(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_vault_info",
		Description: "Describes the vault: where it is, how many notes and blocks it holds, and whether the index is fresh. " +
			"A cheap first call to learn what you are connected to.",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			info, err := k.VaultInfo(ctx)
			if err != nil {
				return mcp.Result{}, err
			}
			return answer(info, c.Budget), nil
		},
	}
}
