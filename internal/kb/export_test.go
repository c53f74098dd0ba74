package kb

import (
	"context"

	"stratum/internal/search"
)

// Lock holds the write lock of k as a long write would.
func Lock(k *KB, ctx context.Context) (unlock func(), err error) { return k.lock(ctx) }

// Snapshot returns the live index of k.
func Snapshot(k *KB) *search.Snapshot { return k.index.Current() }
