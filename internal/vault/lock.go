package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"stratum"
)

const (
	// lockName is the lock file's name below .pkm/mcp.
	lockName = "lock"
	// lockRetry is how long a writer waits before it tries again.
	lockRetry = 10 * time.Millisecond
)

// Lock takes the lock that excludes the writers of all processes (decision
// 8.1) and waits for it until ctx ends, which it returns the error of. It
// excludes goroutines of one process from each other too, but in no order.
// unlock may be called more than once.
func (v *Vault) Lock(ctx context.Context) (unlock func(), err error) {
	const doing = "lock the vault for writing"
	for {
		lock, err := v.tryLock(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, storageError(doing, stratum.Path{}, err)
		}
		if lock != nil {
			return func() { _ = lock.Unlock() }, nil
		}
	}
}

// tryLock waits for the lock. It returns nil where the file that it locked is
// no longer the lock file, because somebody removed it meanwhile.
func (v *Vault) tryLock(ctx context.Context) (*flock.Flock, error) {
	if err := v.moved(); err != nil {
		return nil, err
	}
	if err := v.State().ensure(); err != nil {
		return nil, err
	}
	name := stateDir + "/" + lockName
	if info, err := v.fs.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	lock := flock.New(filepath.Join(v.dir, filepath.FromSlash(name)),
		flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(ownerMode))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, bare(err)
	}

	held, err := lock.Stat()
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	stands, err := v.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(held, stands) {
		return nil, lock.Unlock()
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock, nil
}
