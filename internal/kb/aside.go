package kb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"stratum/internal/vault"
)

// setAside renames a damaged blocks.db and its journal files, which are
// closed, so that a new one can be made. It takes the write lock.
func setAside(ctx context.Context, v *vault.Vault) error {
	unlock, err := v.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	root, err := os.OpenRoot(filepath.Join(v.Dir(), ".pkm"))
	if err != nil {
		return fmt.Errorf("open .pkm: %w", err)
	}
	defer root.Close()

	mark := ".damaged-" + time.Now().UTC().Format("20060102T150405Z")
	for _, name := range []string{"blocks.db", "blocks.db-wal", "blocks.db-shm"} {
		if err := root.Rename(name, name+mark); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("rename %s: %w", name, err)
		}
	}
	return nil
}
