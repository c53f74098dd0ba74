package kb

import (
	"context"
	"strings"
	"unicode/utf8"

	"stratum"
	"stratum/internal/markdown"
)

// GetPage reads the note at p from the disk (§5.1). It takes no lock.
func (k *KB) GetPage(ctx context.Context, p stratum.Path) (stratum.NoteDocument, error) {
	return k.document(ctx, p)
}

// document reads and parses the note at p as it stands on the disk.
func (k *KB) document(ctx context.Context, p stratum.Path) (stratum.NoteDocument, error) {
	f, err := k.vault.Read(p)
	if err != nil {
		return stratum.NoteDocument{}, err
	}
	d := stratum.NoteDocument{
		Path: p.String(), Slug: p.Slug(),
		Content:    f.Content,
		ModifiedAt: stratum.FormatTime(f.Stamp.Time()),
	}
	if !utf8.ValidString(f.Content) {
		d.Content = strings.ToValidUTF8(f.Content, "\uFFFD")
		d.Encoding = stratum.EncodingInvalid
	}
	n := markdown.Parse(d.Content)
	d.Title = p.Title(n.Title)
	d.Frontmatter = n.Frontmatter
	if d.Frontmatter == nil {
		d.Frontmatter = map[string]any{}
	}
	d.Tags = n.Tags
	if d.Tags == nil {
		d.Tags = []string{}
	}
	d.BlockCount = len(n.Blocks)
	d.Links = make([]stratum.NoteLink, len(n.Links))
	if len(n.Links) == 0 {
		return d, nil
	}
	ids := k.blockIDs(ctx, p, n)
	for i, l := range n.Links {
		d.Links[i] = stratum.NoteLink{Target: l.Target, Position: l.Position}
		if l.Display != "" {
			d.Links[i].DisplayText = &n.Links[i].Display
		}
		if l.Block >= 0 {
			d.Links[i].BlockID = &ids[l.Block]
		}
	}
	return d, nil
}

// ListPages returns up to limit notes whose path is greater than after, in
// byte order, and whether more follow (§5.2, decision 7.2). The zero Path
// starts at the beginning. What is listed is what the disk holds; the index
// only spares reading notes that it knows as they stand.
func (k *KB) ListPages(ctx context.Context, after stratum.Path, limit int) (pages []stratum.PageSummary, more bool, err error) {
	entries, more, err := k.vault.List(ctx, after, limit)
	if err != nil {
		return nil, false, err
	}
	snap := k.index.Current()
	pages = make([]stratum.PageSummary, 0, len(entries))
	for _, e := range entries {
		s := stratum.PageSummary{Path: e.Path.String(), Slug: e.Path.Slug()}
		stamp := e.Stamp
		if known, ok := snap.Lookup(e.Path); ok && known.Stamp == stamp {
			s.Title, s.BlockCount = known.Title, known.Blocks
		} else if f, err := k.vault.Read(e.Path); err == nil {
			n := markdown.Parse(f.Content)
			s.Title, s.BlockCount, stamp = e.Path.Title(n.Title), len(n.Blocks), f.Stamp
		} else if stratum.IsKind(err, stratum.NotFound) {
			continue // deleted since it was listed
		} else {
			s.Title = e.Path.Title("") // unreadable, but there
		}
		s.ModifiedAt = stratum.FormatTime(stamp.Time())
		pages = append(pages, s)
	}
	return pages, more, nil
}

// VaultInfo describes the vault (§5.15). It does not wait for the index.
func (k *KB) VaultInfo(ctx context.Context) (stratum.VaultInfo, error) {
	st, err := k.index.Status(ctx)
	if err != nil {
		return stratum.VaultInfo{}, err
	}
	return stratum.VaultInfo{
		VaultPath: k.vault.Dir(),
		PageCount: st.TotalPages, BlockCount: st.IndexedBlocks,
		IndexFresh: st.IndexFresh, LastIndexedAt: st.LastIndexedAt,
	}, nil
}

// IndexStatus measures the index's freshness by a scan of the vault (§5.6,
// decision 8.4). It does not wait for the index.
func (k *KB) IndexStatus(ctx context.Context) (stratum.IndexStatus, error) {
	return k.index.Status(ctx)
}

// Reindex brings the index level with the vault, or builds it anew beside the
// live one when rebuild is set (§5.5, decision 8.5). It returns when
// everything, blocks.db included, is done. A rebuild takes the write lock;
// VaultLocked when that is not to be had in time. progress may be nil.
func (k *KB) Reindex(ctx context.Context, rebuild bool, progress Progress) (stratum.IndexStatus, error) {
	if err := k.reindex(ctx, rebuild, progress); err != nil {
		return stratum.IndexStatus{}, err
	}
	return k.index.Status(ctx)
}

func (k *KB) reindex(ctx context.Context, rebuild bool, progress Progress) error {
	if err := k.index.Wait(ctx, k.opt.IndexWait); err != nil {
		return err
	}
	notes, rows := halves(progress)
	if err := k.bringLevel(ctx, rebuild, notes); err != nil {
		return err
	}
	return k.settle(ctx, rows)
}

func (k *KB) bringLevel(ctx context.Context, rebuild bool, progress Progress) error {
	if !rebuild {
		k.index.Recheck(ctx)
		return k.index.Reconcile(ctx, progress)
	}
	unlock, err := k.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return k.index.Rebuild(ctx, progress)
}

// halves shares one progress among two steps one after the other, in
// thousandths of the whole.
func halves(p Progress) (first, second Progress) {
	if p == nil {
		return nil, nil
	}
	return func(done, total int) { p(500*done/max(1, total), 1000) },
		func(done, total int) { p(500+500*done/max(1, total), 1000) }
}
