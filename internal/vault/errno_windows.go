package vault

import (
	"errors"
	"strings"

	"golang.org/x/sys/windows"
)

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

func isTooLong(err error) bool { return errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE) }

func isNotDir(err error) bool {
	return errors.Is(err, windows.ERROR_DIRECTORY) || errors.Is(err, windows.ERROR_PATH_NOT_FOUND)
}

// isForeign reports a name that Windows would take for another one, or for
// none: ":" opens a second stream of a file, dots and spaces at the end are
// dropped, and "PKM~1" is the short name of a hidden folder.
func isForeign(component string) bool {
	if strings.ContainsAny(component, `<>:"|?*`) || strings.TrimRight(component, ". ") != component {
		return true
	}
	stem, number, ok := strings.Cut(component, "~")
	return ok && len(stem) <= 6 && number != "" && strings.Trim(number, "0123456789") == ""
}
