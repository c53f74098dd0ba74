package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type autocompleteArgs struct {
	Query string `json:"query"`
	Kind  string `json:"kind"`
	Limit int    `json:"limit"`
}

// completionRow is a suggestion, with the flag for one that had to be cut.
type completionRow struct {
	stratum.Completion
	Truncated bool `json:"truncated,omitempty"`
}

func autocomplete(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_autocomplete",
		Description: "Suggests names for what has been typed so far. kind page: notes by title, file name or alias (detail is the path); kind tag: tags (detail is the number of notes); " +
			"kind backlink: link targets, those without a note yet included. Use it to find a note whose name you half know, or before writing a [[link]] or a tag, to reuse what exists.",
		Annotations: reads,
		Scope:       stratum.ScopeSearch,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[autocompleteArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			found, err := k.Autocomplete(ctx, args.Query, args.Kind, args.Limit)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodeCompletions(found, c.Budget), nil
		},
	}
}

func encodeCompletions(found []stratum.Completion, budget int) mcp.Result {
	out := newList("items", budget)
	for _, f := range found {
		row := completionRow{Completion: f}
		if !out.add(item{&row, &row.Text, &row.Truncated}, tailRoom) {
			break
		}
	}
	return out.result(cuttable{Truncated: out.len < len(found)})
}
