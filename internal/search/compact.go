package search

import "stratum/internal/fulltext"

// compaction is a rewriting of the full text without what was deleted, on its
// way beside the live snapshot.
type compaction struct {
	since []textChange // published after the rewriting began
}

// compactAfter begins a rewriting when the live full text needs one, or tells
// a running one what was published. writer is held.
func (x *Index) compactAfter(c textChange) {
	if x.compact != nil {
		x.compact.since = append(x.compact.since, c)
		return
	}
	text := x.live.Load().text
	if !text.NeedsCompaction() {
		return
	}
	job := &compaction{}
	x.compact = job
	go x.finish(job, text)
}

// finish rewrites text, repeats on it what was published meanwhile, and puts
// it in the place of the live one unless that was replaced as a whole.
func (x *Index) finish(job *compaction, text *fulltext.Index) {
	text = text.Compact()

	x.writer.Lock()
	defer x.writer.Unlock()
	if x.compact != job {
		return
	}
	x.compact = nil
	for _, c := range job.since {
		text = text.With(c.changed, c.removed)
	}
	s := *x.live.Load()
	s.text = text
	x.live.Store(&s)
}
