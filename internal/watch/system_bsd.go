//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package watch

const (
	canNotify    = true
	perFileWatch = true // kqueue keeps a descriptor open for every file of a folder
	perFileMax   = 4096 // files and folders, so that descriptors are left for the rest
	limitHint    = "the vault has more files than can be kept open"
)
