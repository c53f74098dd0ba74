package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type resolveLinkArgs struct {
	Target string `json:"target"`
}

type resolveLinkAnswer struct {
	Resolved   *stratum.PageRef `json:"resolved"`
	Unresolved bool             `json:"unresolved"`
	Truncated  bool             `json:"truncated,omitempty"` // the title was cut
}

func resolveLink(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_resolve_link",
		Description: "Tells which note a [[wiki-link]] leads to: give what stands between the brackets, and get the note's path, slug and title, or unresolved: true where there is no such note yet. " +
			"Matches paths, file names, titles and aliases. Use it to follow a link that you read in a note, or to check one before you write it.",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[resolveLinkArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			ref, err := k.ResolveLink(ctx, args.Target)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodeResolved(ref, c.Budget), nil
		},
	}
}

func encodeResolved(ref *stratum.PageRef, budget int) mcp.Result {
	if ref == nil {
		return answer(resolveLinkAnswer{Unresolved: true}, budget)
	}
	shown := *ref
	a := resolveLinkAnswer{Resolved: &shown}
	return answerCut(item{&a, &shown.Title, &a.Truncated}, budget)
}
