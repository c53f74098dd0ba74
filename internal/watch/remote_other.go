//go:build !linux && !darwin

package watch

// isRemote has no answer here; the reconciling scan covers network volumes.
func isRemote(string) bool { return false }
