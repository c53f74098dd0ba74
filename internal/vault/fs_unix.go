//go:build unix

package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"stratum"
)

// nonblock keeps an open from waiting for the other end of a FIFO.
const nonblock = unix.O_NONBLOCK

func rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

// syncFolder flushes a folder. File systems that cannot flush one say EINVAL
// or ENOTSUP, and need no flush or have none.
func syncFolder(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	err = file{f, name}.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}

func inode(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(st.Ino)
}

// owner returns the user and group of a file.
func owner(info fs.FileInfo) (uid, gid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}

// folder reads the entries' types from the directory itself and asks for
// stamps one by one, so that only notes cost a system call.
type folder struct {
	f  *os.File
	fd int // of f; valid until Close
}

func openFolder(root *os.Root, name string) (Folder, error) {
	in, err := root.OpenFile(name, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	// A file that os.Root opened stats every entry that it lists. The same
	// directory under a plain descriptor does not.
	fd, err := unix.FcntlInt(in.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("duplicate the folder's descriptor: %w", err)
	}
	return &folder{os.NewFile(uintptr(fd), name), fd}, nil
}

func (d *folder) List() ([]fs.DirEntry, error) { return d.f.ReadDir(-1) }

func (d *folder) Stamp(entry fs.DirEntry) (stratum.Stamp, fs.FileMode, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.fd, entry.Name(), &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EINTR) {
			return stratum.Stamp{}, 0, err
		}
	}
	sec, nsec := st.Mtim.Unix()
	return stratum.Stamp{Size: st.Size, Modified: sec*1e9 + nsec, Inode: uint64(st.Ino)}, typeOf(uint32(st.Mode)), nil
}

func (d *folder) Close() error { return d.f.Close() }

func typeOf(mode uint32) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	default:
		return fs.ModeIrregular
	}
}
