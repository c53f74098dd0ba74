package kb

import (
	"context"
	"testing"

	"stratum/internal/search"
	"stratum/internal/vault"
)

// Lock holds the write lock of k as a long write would.
func Lock(k *KB, ctx context.Context) (unlock func(), err error) { return k.lock(ctx) }

// Snapshot returns the live index of k.
func Snapshot(k *KB) *search.Snapshot { return k.index.Current() }

// WasLevel reports whether a start would trust the vault's database.
func WasLevel(t *testing.T, dir string) bool {
	t.Helper()
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	return wasLevel(v)
}
