//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package watch

const (
	// A watch on Windows holds its folder open, and a folder with an open one
	// below it cannot be renamed or moved by the user.
	canNotify    = false
	perFileWatch = false
	perFileMax   = 0
	limitHint    = ""
)
