//go:build unix

package vault

import (
	"errors"

	"golang.org/x/sys/unix"
)

func isFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}

func isReadOnly(err error) bool { return errors.Is(err, unix.EROFS) }

func isTooLong(err error) bool { return errors.Is(err, unix.ENAMETOOLONG) }

func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) }

// isForeign reports a name that the system would take for another one; here
// every name is itself.
func isForeign(string) bool { return false }
