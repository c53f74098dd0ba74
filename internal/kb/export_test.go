package kb

import (
	"context"
	"log/slog"
	"testing"

	"stratum/internal/index"
	"stratum/internal/search"
	"stratum/internal/vault"
)

// Lock holds the write lock of k as a long write would.
func Lock(k *KB, ctx context.Context) (unlock func(), err error) { return k.lock(ctx) }

// Snapshot returns the live index of k.
func Snapshot(k *KB) *search.Snapshot { return k.index.Current() }

// WasLevel reports whether a start would trust the vault's database, which it
// opens as a start does.
func WasLevel(t *testing.T, dir string) bool {
	t.Helper()
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	then := wasLevel(v)
	x := index.New(v, then.Index, slog.New(slog.DiscardHandler))
	defer x.Close()
	return x.Opened() && then != level{} && then.holds(v)
}

// OpenOn opens a vault that is open already, as Open does.
func OpenOn(v *vault.Vault, opt Options) *KB { return open(v, opt) }

// NoteLevel notes the level for an index file of that sum.
var NoteLevel = noteLevel

// CacheMax is the most bytes that the cache of parsed notes holds.
const CacheMax = cacheBytes

// CacheBytes returns the bytes that k's cache holds.
func CacheBytes(k *KB) int {
	k.cache.mu.Lock()
	defer k.cache.mu.Unlock()
	return k.cache.bytes
}
