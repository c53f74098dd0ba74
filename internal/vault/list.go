package vault

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"stratum"
)

// List returns up to limit notes whose path is greater than after, in byte
// order, and whether more follow. The zero Path starts at the beginning. It
// opens only folders that can hold such notes and asks the stamps of no more
// files than it returns, one more at most; folders that cannot be read are
// passed over.
func (v *Vault) List(ctx context.Context, after stratum.Path, limit int) (entries []Entry, more bool, err error) {
	if err := v.moved(); err != nil {
		return nil, false, storageError("list the vault's notes", stratum.Path{}, err)
	}
	l := lister{walk: newWalk(ctx, v.fs), after: after.String(), limit: limit + 1}
	err = l.folder("")
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		return nil, false, storageError("list the vault's notes", stratum.Path{}, err)
	}
	if len(l.entries) > limit {
		return l.entries[:limit], true, nil
	}
	return l.entries, false, nil
}

// lister walks in the order of paths, one folder at a time, until it has
// limit notes.
type lister struct {
	*walk
	after string
	limit int
}

func (l *lister) full() bool { return len(l.entries) >= l.limit || l.ctx.Err() != nil }

// folder lists what is below dir. It returns an error only for that folder
// itself.
func (l *lister) folder(dir string) error {
	d, err := l.fs.OpenFolder(rootName(dir))
	if err != nil {
		return err
	}
	defer d.Close()
	entries, err := d.List()
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return l.passed(dir, e) })
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(orderKey(a), orderKey(b)) })
	for _, e := range entries {
		if l.full() {
			return nil
		}
		if !e.IsDir() {
			l.stamps(dir, d, []fs.DirEntry{e})
			continue
		}
		if sub, ok := l.sub(dir, e.Name()); ok {
			if err := l.folder(sub); err != nil && !errors.Is(err, fs.ErrNotExist) {
				l.skip(Skip{Path: sub, Folder: true, Reason: "the folder cannot be read", Err: err})
			}
		}
	}
	return nil
}

// passed reports whether an entry holds nothing that is to be listed.
func (l *lister) passed(dir string, e fs.DirEntry) bool {
	if e.Name()[0] == '.' || !e.IsDir() && !strings.HasSuffix(e.Name(), stratum.NoteExt) {
		return true
	}
	key := join(dir, orderKey(e))
	if e.IsDir() {
		return key < l.after && !strings.HasPrefix(l.after, key)
	}
	return key <= l.after
}

// orderKey returns what an entry's paths begin with after its folder's, so
// that entries in the order of keys give paths in the order of bytes.
func orderKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}
