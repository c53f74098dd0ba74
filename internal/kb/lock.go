package kb

import (
	"context"
	"errors"
	"time"

	"stratum"
)

// lock waits for the writer's turn, in this process and across processes
// (decision 8.1), within the write budget, and returns the function that
// ends it. It returns VaultLocked when the budget runs out and the context's
// error when the caller gave up first.
func (k *KB) lock(ctx context.Context) (unlock func(), err error) {
	wait, cancel := context.WithTimeout(ctx, k.opt.WriteWait)
	defer cancel()
	select {
	case k.turn <- struct{}{}:
	case <-wait.Done():
		return nil, lockErr(ctx, wait.Err())
	}
	release, err := k.vault.Lock(wait)
	if err != nil {
		<-k.turn
		return nil, lockErr(ctx, err)
	}
	return func() {
		release()
		<-k.turn
	}, nil
}

func lockErr(caller context.Context, err error) error {
	if caller.Err() != nil {
		return caller.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &stratum.Error{
			Kind:       stratum.VaultLocked,
			Message:    "The vault is being written or rebuilt by another call; nothing was changed.",
			Hint:       "Wait for retry_after_seconds, then send the same call again.",
			RetryAfter: 2 * time.Second,
			Cause:      err,
		}
	}
	if e, ok := errors.AsType[*stratum.Error](err); ok {
		return e // it tells what to do, on a read-only file system for one
	}
	return stratum.ErrExternal("take the write lock", err)
}
