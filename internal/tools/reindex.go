package tools

import (
	"context"
	"fmt"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type reindexArgs struct {
	Mode string `json:"mode"`
}

func reindex(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_reindex",
		Description: "Brings the search index level with the notes on disk (mode incremental), or builds it anew (mode rebuild: slow on a large vault, and writes wait meanwhile). " +
			"Seldom needed: the server follows changes by itself. Use it when kb_index_status keeps saying index_fresh: false, or results look stale. " +
			"Comes back, when it is done, with the index's status.",
		Annotations: refreshes,
		Scope:       stratum.ScopeIndex,
		Mutates:     true,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[reindexArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			rebuild := args.Mode == "rebuild"
			milestone(c, rebuild, "started", nil)
			meter := meter{call: c}
			status, err := k.Reindex(ctx, rebuild, meter.report)
			if err != nil {
				milestone(c, rebuild, "failed", nil)
				return mcp.Result{}, err
			}
			meter.finish(status.TotalPages)
			milestone(c, rebuild, "finished", &status)
			return answer(status, c.Budget), nil
		},
	}
}

// milestone tells connected clients about a rebuild (contract §12). An
// incremental run is no news.
func milestone(c *mcp.Call, rebuild bool, event string, status *stratum.IndexStatus) {
	if !rebuild {
		return
	}
	data := map[string]any{"event": "rebuild " + event}
	if status != nil {
		data["indexed_pages"], data["indexed_blocks"] = status.IndexedPages, status.IndexedBlocks
	}
	c.Log(mcp.Warning, "index", data)
}

// meter makes sure that the last report of a run is that of its last step,
// however the run counts.
type meter struct {
	call        *mcp.Call
	done, total int
}

func (m *meter) report(done, total int) {
	m.done, m.total = done, total
	m.call.Progress(done, total, fmt.Sprintf("indexing: %d of %d", done, total))
}

func (m *meter) finish(pages int) {
	if m.total == 0 {
		m.total = pages
	}
	m.report(m.total, m.total)
}
