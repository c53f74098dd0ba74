package index

import (
	"context"
	"time"

	"stratum"
	"stratum/internal/store"
	"stratum/internal/vault"
)

// tend scans the vault from time to time, and when Status has found something
// to differ: whatever no event told is found.
func (x *Index) tend(ctx context.Context) {
	t := time.NewTicker(stratum.ScanInterval * 5 / 6)
	defer t.Stop()
	var scanning grievance
	for {
		all := false
		select {
		case <-t.C:
			all = true
		case <-x.nudge:
		case <-ctx.Done():
			return
		}
		if !x.isReady() {
			continue
		}
		err := x.Reconcile(ctx, nil)
		if ctx.Err() != nil {
			return
		}
		scanning.tell(x.log, "scan the vault", err)
		if !all {
			continue
		}
		x.Recheck(ctx)
		x.saveOrTell()
	}
}

// Recheck has all rows of blocks.db compared with the notes when another
// program may have written to it since this was last asked.
func (x *Index) Recheck(ctx context.Context) {
	x.asking.Lock()
	defer x.asking.Unlock()
	if x.foreign(ctx, x.Store(), &x.seen) {
		x.rows.verify()
	}
}

// foreign reports whether another program may have written to blocks.db since
// it was last asked; seen is what it remembers of that.
func (x *Index) foreign(ctx context.Context, s *store.Store, seen *[2]stratum.Stamp) bool {
	if s == nil || s.Replaced() {
		return true
	}
	if !s.ReadOnly() {
		changed, err := s.Changed(ctx)
		return err == nil && changed
	}
	was := *seen
	seen[0], seen[1] = x.vault.DatabaseStamps()
	return was != *seen
}

// scanAgain has tend scan the vault now.
func (x *Index) scanAgain() {
	select {
	case x.nudge <- struct{}{}:
	default: // it is about to
	}
}

// tellSkipped logs what a scan left out: once, until it no longer does.
func (x *Index) tellSkipped(skipped []vault.Skip) {
	now := make(map[string]bool, len(skipped))
	for _, s := range skipped {
		now[s.String()] = true
	}
	x.mu.Lock()
	was := x.skipped
	x.skipped = now
	x.mu.Unlock()
	for _, s := range skipped {
		switch {
		case was[s.String()]:
		case s.Err != nil:
			x.log.Warn("left out of the index", "what", s.String())
		default:
			x.log.Info("left out of the index", "what", s.String())
		}
	}
}
