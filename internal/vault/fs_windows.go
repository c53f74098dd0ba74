package vault

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"stratum"
)

// nonblock is for FIFOs, which no folder holds here.
const nonblock = 0

// A virus scanner or an indexer that looks at a file for a moment keeps it
// from being renamed. They are given renameTries times renamePause.
const (
	renameTries = 20
	renamePause = 10 * time.Millisecond
)

// sharingViolation is Windows' word for a file that another program has open.
const sharingViolation = syscall.Errno(32)

func rename(root *os.Root, from, to string) error {
	for try := 1; ; try++ {
		err := root.Rename(from, to)
		busy := errors.Is(err, fs.ErrPermission) || errors.Is(err, sharingViolation)
		if err == nil || !busy || try == renameTries {
			return err
		}
		time.Sleep(renamePause)
	}
}

// syncFolder does nothing: a folder has no flush here.
func syncFolder(*os.Root, string) error { return nil }

func inode(fs.FileInfo) uint64 { return 0 }

func owner(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

// folder takes stamps from the listing, which holds them here.
type folder struct {
	f    *os.File
	name string
}

func openFolder(root *os.Root, name string) (Folder, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	return folder{f, name}, nil
}

func (d folder) List() ([]fs.DirEntry, error) {
	entries, err := d.f.ReadDir(-1)
	return entries, file{d.f, d.name}.named(err)
}

func (d folder) Stamp(entry fs.DirEntry) (stratum.Stamp, fs.FileMode, error) {
	info, err := entry.Info()
	if err != nil {
		return stratum.Stamp{}, 0, err
	}
	return stampOf(info), info.Mode().Type(), nil
}

func (d folder) Close() error { return d.f.Close() }
