package vault

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"
)

// Temporary names are hidden and do not end in .md, so that no program takes
// the file for a note, and stand in the note's own folder, so that a rename
// suffices (vault-format §4).
const (
	tempPrefix = ".stratum-"
	tempSuffix = ".tmp"
)

// stateTempAge is how old a temporary file below .pkm/mcp is before it is
// swept: a process may write its own without the lock.
const stateTempAge = time.Hour

// tempName returns a new temporary name in the folder of name.
func tempName(name string) string {
	return path.Join(folderOf(name), tempPrefix+strings.ToLower(rand.Text()[:16])+tempSuffix)
}

func isTemp(base string) bool {
	return strings.HasPrefix(base, tempPrefix) && strings.HasSuffix(base, tempSuffix)
}

// createTemp writes a new temporary file next to name, flushed to the disk,
// and returns its name. What fails leaves nothing behind.
func createTemp(fsys FS, name string, perm fs.FileMode, fill func(Handle) error) (string, error) {
	temp := tempName(name)
	f, err := fsys.Create(temp, perm)
	if err != nil {
		return "", err
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, fsys.Remove(temp))
	}
	return temp, nil
}

// SweepTemp removes the temporary files that a crashed process left. Call it
// only while [Vault.Lock] is held, with no [Change] open: then none of them is
// in use. It goes on after an error and returns all of them.
func (v *Vault) SweepTemp(ctx context.Context) error {
	var errs []error
	w := newWalk(ctx, v.fs)
	err := w.run(func(dir string, _ Folder, files []fs.DirEntry) {
		for _, e := range files {
			if !isTemp(e.Name()) || !e.Type().IsRegular() {
				continue
			}
			if err := v.fs.Remove(join(dir, e.Name())); err != nil {
				w.mu.Lock()
				errs = append(errs, err)
				w.mu.Unlock()
			}
		}
	})
	return errors.Join(append(errs, err, v.State().sweep(), ctx.Err())...)
}
