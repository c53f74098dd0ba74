package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"stratum/internal/store"
	"stratum/internal/vault"
)

// database is blocks.db. What is open of it may change while the server runs:
// a damaged file is set aside and made anew from the notes, and one that could
// not be opened, or that another program has replaced, is opened again
// (decision 8.7).
type database struct {
	vault *vault.Vault
	log   *slog.Logger

	using   sync.Mutex                  // held by use
	live    atomic.Pointer[store.Store] // nil while none can be used
	damaged atomic.Pointer[store.Store] // the one whose file is known to be damaged
}

// use returns the store, opened where that is needed, and whether it was: then
// nothing is known of its rows.
func (d *database) use(ctx context.Context) (s *store.Store, anew bool, err error) {
	d.using.Lock()
	defer d.using.Unlock()
	s = d.live.Load()
	if s != nil && s != d.damaged.Load() && !s.Replaced() {
		return s, false, nil
	}
	if s != nil {
		if err := d.retire(ctx, s); err != nil {
			return nil, false, err
		}
	}
	if s, err = d.open(ctx); err != nil {
		return nil, false, err
	}
	d.live.Store(s)
	return s, true, nil
}

// open opens the file, and makes a new one in the place of one that is
// damaged.
func (d *database) open(ctx context.Context) (*store.Store, error) {
	file := filepath.Join(d.vault.Dir(), ".pkm", "blocks.db")
	s, err := store.Open(ctx, file)
	if !errors.Is(err, store.ErrCorrupt) {
		return s, err
	}
	unlock, err := d.vault.Lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("set blocks.db aside: %w", err)
	}
	defer unlock()
	// Another server may have been quicker.
	if s, err = store.Open(ctx, file); !errors.Is(err, store.ErrCorrupt) {
		return s, err
	}
	if err := d.setAside(err); err != nil {
		return nil, err
	}
	return store.Open(ctx, file)
}

// retire closes s, which is not to be used any more, and sets its file aside
// where that is damaged and still the one in place.
func (d *database) retire(ctx context.Context, s *store.Store) error {
	if s != d.damaged.Load() {
		d.live.Store(nil)
		return s.Close()
	}
	unlock, err := d.vault.Lock(ctx)
	if err != nil {
		return fmt.Errorf("set blocks.db aside: %w", err)
	}
	defer unlock()
	replaced := s.Replaced()
	d.live.Store(nil)
	err = s.Close()
	if replaced {
		return err
	}
	return d.setAside(err)
}

// setAside renames blocks.db and its journal files, which are closed. The
// vault's write lock is held.
func (d *database) setAside(because error) error {
	d.log.Warn("blocks.db is damaged, set aside and made anew", "error", because)
	root, err := os.OpenRoot(filepath.Join(d.vault.Dir(), ".pkm"))
	if err != nil {
		return fmt.Errorf("open .pkm: %w", errors.Unwrap(err)) // without the absolute path
	}
	defer root.Close()
	mark := ".damaged-" + time.Now().UTC().Format("20060102T150405.000Z")
	for _, name := range []string{"blocks.db", "blocks.db-wal", "blocks.db-shm"} {
		if err := root.Rename(name, name+mark); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("rename %s: %w", name, err)
		}
	}
	return nil
}

// Store returns blocks.db as it is open now, nil while it cannot be used.
// Another one may take its place at any time; calls to the old one then fail.
func (x *Index) Store() *store.Store { return x.db.live.Load() }

// Suspect is told an error of s. One that says that blocks.db is damaged has
// it made anew in the background.
func (x *Index) Suspect(s *store.Store, err error) {
	if errors.Is(err, store.ErrCorrupt) {
		x.db.damaged.Store(s)
		x.rows.verify()
	}
}
