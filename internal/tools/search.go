package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type searchArgs struct {
	Query  string `json:"query"`
	Limit  int    `json:"limit"`
	Offset int    `json:"offset"`
}

type searchTail struct {
	Total      int  `json:"total"`
	NextOffset *int `json:"next_offset"`
	Relaxed    bool `json:"relaxed,omitempty"`
	Truncated  bool `json:"truncated,omitempty"`
}

func search(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_search",
		Description: `Full-text search over all notes; the place to start when you look for something. All words must occur, in any order; "a phrase" in quotes, pre* for a beginning, -word to leave out. ` +
			"Case and accents do not matter. Comes back best first as blocks with page_path, snippet and score, the exact total, and next_offset for the next page; relaxed: true says that not all words were found together. " +
			"Read a hit's note with kb_get_page(page_path).",
		Annotations: reads,
		Scope:       stratum.ScopeSearch,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[searchArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			offset := min(args.Offset, stratum.TokenMaxScoreMatches)
			limit := min(args.Limit, stratum.TokenMaxScoreMatches-offset)
			found, err := k.Search(ctx, args.Query, offset, max(1, limit))
			if err != nil {
				return mcp.Result{}, err
			}
			out, all, err := encodeHits(found, limit, c.Budget)
			if err != nil {
				return mcp.Result{}, err
			}
			tail := searchTail{Total: found.Total, Relaxed: found.Relaxed}
			next := offset + out.len
			if all {
				next = offset + max(out.len, min(found.Count, limit))
			}
			if next > offset && next < min(found.Total, stratum.TokenMaxScoreMatches) {
				tail.NextOffset = &next
			}
			return out.result(tail), nil
		},
	}
}

// encodeHits writes up to limit hits; all reports that the budget cut none.
func encodeHits(found kb.SearchResult, limit, budget int) (out *list, all bool, err error) {
	out = newList("results", budget)
	if limit <= 0 {
		return out, true, nil
	}
	for hit, err := range found.Hits {
		if err != nil {
			return nil, false, err
		}
		if !out.add(item{&hit, &hit.Content, &hit.Truncated}, tailRoom) {
			return out, false, nil
		}
		if out.len == limit {
			break
		}
	}
	return out, true, nil
}
