package store

import (
	"context"
	"fmt"

	"stratum"
)

// Put makes the rows of each page say what its note says, in one transaction,
// and returns how many pages it had to change. Rows that say it already are
// not touched: a page that changed nowhere costs no write, and an edit writes
// the rows from the first block that came or went. A block keeps its id, its
// created_at and, where its own text and fields are the same, its
// modified_at; collapsed is kept where the file does not set it.
//
// Hand over what takes about a second, say 1,000 pages; [Store.Fill] is for
// more. Pages whose notes are gone should be deleted before, so that a moved
// note's ids are free.
func (s *Store) Put(ctx context.Context, pages ...Page) (changed int, err error) {
	drafts := make([]*draft, len(pages))
	for i, p := range pages {
		if drafts[i], err = newDraft(p); err != nil {
			return 0, err
		}
	}
	if len(drafts) == 0 {
		return 0, nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if err := s.ensureIndices(ctx); err != nil {
		return 0, fmt.Errorf("make indices: %w", classify(err))
	}
	err = s.transact(ctx, func(quiet context.Context) error {
		_, changed, err = s.putAll(ctx, quiet, drafts, never)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("put pages: %w", classify(err))
	}
	return changed, nil
}

// never is the stop function of a transaction that goes to its end.
func never() bool { return false }

// putAll puts drafts within a transaction until there are no more or stop
// says so, and returns how many of them it has done. A page whose file states
// an id that a later page of the same call still holds waits for that page:
// the block may have moved.
func (s *Store) putAll(ctx, quiet context.Context, drafts []*draft, stop func() bool) (done, changed int, err error) {
	pending := make(map[string]bool, len(drafts))
	for _, d := range drafts {
		pending[d.path.String()] = true
	}
	var waiting []*draft
	put := func(d *draft) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		delete(pending, d.path.String())
		ch, wait, err := s.put(quiet, d, pending)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", d.path, err)
		case wait:
			waiting = append(waiting, d)
		case ch:
			changed++
		}
		return nil
	}
	for _, d := range drafts {
		if done > 0 && stop() {
			break
		}
		if err := put(d); err != nil {
			return 0, 0, err
		}
		done++
	}
	clear(pending)
	again := waiting
	for _, d := range again {
		if err := put(d); err != nil {
			return 0, 0, err
		}
	}
	return done, changed, nil
}

// put makes one page's rows. It does nothing and reports wait when one of the
// pending pages holds an id that this one's file states.
func (s *Store) put(ctx context.Context, d *draft, pending map[string]bool) (changed, wait bool, err error) {
	have, err := s.load(ctx, d.path)
	if err != nil {
		return false, false, err
	}
	var failed error
	ids := AssignIDs(d.path, d.note.Blocks, have.rows(), func(ids []string) map[string]bool {
		held, err := s.holders(ctx, &s.writes.holders, ids)
		if err != nil {
			failed = err
			return nil
		}
		taken := make(map[string]bool, len(held))
		for id, page := range held {
			taken[id] = true
			wait = wait || pending[page]
		}
		return taken
	})
	if failed != nil || wait {
		return false, wait, failed
	}
	blocks := d.finish(ids, have.blocks)
	kept, wrote, err := s.putBlocks(ctx, d.path, have.blocks, blocks)
	if err != nil {
		return false, false, fmt.Errorf("blocks: %w", err)
	}
	relinked, err := s.putLinks(ctx, have.links, d.links, kept, ids)
	if err != nil {
		return false, false, fmt.Errorf("links: %w", err)
	}
	repaged, err := s.putPage(ctx, d, have)
	if err != nil {
		return false, false, fmt.Errorf("page: %w", err)
	}
	return wrote || relinked || repaged, false, nil
}

// finish returns the draft's blocks with ids, and with what the database
// alone knows of the blocks that it has.
func (d *draft) finish(ids []string, have []blockRow) []blockRow {
	old := make(map[string]*blockRow, len(have))
	for i := range have {
		old[have[i].id] = &have[i]
	}
	at := func(i int) string {
		if i < 0 {
			return ""
		}
		return ids[i]
	}
	for i := range d.blocks {
		b, in := &d.blocks[i], &d.note.Blocks[i]
		b.id, b.parent, b.left = ids[i], at(in.Parent), at(in.Left)
		o := old[b.id]
		if o == nil {
			continue
		}
		b.created = restamp(o.created, d.modified)
		b.collapsed = b.collapsed || o.collapsed
		if sameText(o, b) {
			b.modified = restamp(o.modified, d.modified)
		}
	}
	return d.blocks
}

// putBlocks makes a page's blocks. Rows stay as long as the ids agree from
// the start; the rest is deleted, its links with it, and inserted anew, so
// that the order of the rows is the document's. kept is how many rows stay.
func (s *Store) putBlocks(ctx context.Context, p stratum.Path, have, want []blockRow) (kept int, changed bool, err error) {
	for kept < min(len(have), len(want)) && have[kept].id == want[kept].id {
		if !sameBlock(&have[kept], &want[kept]) {
			if err := s.exec(ctx, &s.writes.updateBlock, want[kept].values(p)...); err != nil {
				return 0, false, err
			}
			changed = true
		}
		kept++
	}
	if kept < len(have) {
		if err := s.exec(ctx, &s.writes.deleteBlocks, p.String(), have[kept].rowid); err != nil {
			return 0, false, err
		}
		changed = true
	}
	for i := kept; i < len(want); i++ {
		if err := s.exec(ctx, &s.writes.insertBlock, want[i].values(p)...); err != nil {
			return 0, false, err
		}
		changed = true
	}
	return kept, changed, nil
}

// putLinks makes a page's links, of which those of the first kept blocks are
// still there.
func (s *Store) putLinks(ctx context.Context, have, want []linkRow, kept int, ids []string) (changed bool, err error) {
	for len(have) > 0 && have[len(have)-1].block >= kept {
		have = have[:len(have)-1] // gone with its block
	}
	same := 0
	for same < min(len(have), len(want)) && have[same].says(want[same]) {
		same++
	}
	for _, l := range have[same:] {
		if err := s.exec(ctx, &s.writes.deleteLink, l.rowid); err != nil {
			return false, err
		}
		changed = true
	}
	for _, l := range want[same:] {
		if err := s.exec(ctx, &s.writes.insertLink, ids[l.block], l.kind, l.page, null(l.targetBlock)); err != nil {
			return false, err
		}
		changed = true
	}
	return changed, nil
}

// putPage makes the row of pages.
func (s *Store) putPage(ctx context.Context, d *draft, have *stored) (changed bool, err error) {
	want := d.page
	if have.found {
		want.created = restamp(have.page.created, d.modified)
		if have.page.says(want) {
			return false, nil
		}
	}
	return true, s.exec(ctx, &s.writes.putPage,
		d.path.String(), null(want.title), want.frontmatter, want.blockCount, want.created, want.modified)
}
