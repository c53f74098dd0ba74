package index

import (
	"context"
	"time"

	"stratum"
)

// moment is how long Status waits for rows that follow a write.
const moment = 500 * time.Millisecond

// Status measures the index against the vault by a scan (decision 8.4): fresh
// is what holds every note as it stands on the disk, nothing else, with
// blocks.db level too. It gives blocks.db a moment to catch up with the last
// write. Notes found to differ are refreshed in the background.
func (x *Index) Status(ctx context.Context) (stratum.IndexStatus, error) {
	if s := x.Store(); s != nil && s.Replaced() {
		x.rows.verify()
	}
	level := x.rows.levelWithin(ctx, moment)
	scan, err := x.vault.Scan(ctx)
	if err != nil {
		return stratum.IndexStatus{}, err
	}
	changes := x.differences(scan, false)
	snap := x.search.Snapshot()
	if len(changes) > 0 {
		x.scanAgain()
	}
	st := stratum.IndexStatus{
		IndexFresh:    x.isReady() && level && len(changes) == 0 && x.rows.level(),
		IndexedPages:  snap.Len(),
		TotalPages:    len(scan.Entries),
		IndexedBlocks: snap.Blocks(),
	}
	if !snap.IndexedAt.IsZero() {
		at := stratum.FormatTime(snap.IndexedAt)
		st.LastIndexedAt = &at
	}
	return st, nil
}

// Bytes estimates the memory that the index takes.
func (x *Index) Bytes() int { return x.search.Snapshot().Bytes() }
