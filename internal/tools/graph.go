package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type graphArgs struct {
	Path  *string `json:"path"`
	Depth int     `json:"depth"`
}

func graph(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_graph",
		Description: "Shows how notes are linked: nodes (notes with title, tags, degree) and edges (resolved links). With path, the notes within depth hops of it, in both directions; without, the whole vault. " +
			"Use it to see a note's neighbourhood or the hubs of the vault. A large graph is cut to its best connected notes and says truncated: true; node_count and edge_count are the true totals, so a smaller depth may show more of what is near.",
		Annotations: reads,
		Scope:       stratum.ScopeRead,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[graphArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			center, err := parseCenter(args.Path)
			if err != nil {
				return mcp.Result{}, err
			}
			data, err := k.Graph(ctx, center, args.Depth)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodeGraph(data, c.Budget), nil
		},
	}
}

func parseCenter(path *string) (*stratum.Path, error) {
	if path == nil {
		return nil, nil
	}
	p, err := stratum.ParsePath(*path)
	if err != nil {
		return nil, err
	}
	return &p, nil
}
