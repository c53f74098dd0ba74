package vault

import (
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"stratum"
)

// FS is what the vault asks of the file system below its root. Names are
// relative to the root, with "/" between components; none ever leads out of
// it. It exists so that tests can make each operation fail.
type FS interface {
	// Open opens a file for reading. It never waits for a FIFO's writer.
	Open(name string) (Handle, error)
	// Create makes a file for writing; it fails where the name is taken.
	Create(name string, perm fs.FileMode) (Handle, error)
	// OpenFolder opens a folder for listing.
	OpenFolder(name string) (Folder, error)
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(from, to string) error
	Link(from, to string) error
	Remove(name string) error
	// SetModified sets a file's mtime.
	SetModified(name string, to time.Time) error
	// SyncFolder makes what was created, renamed and removed in a folder
	// durable, where the system can.
	SyncFolder(name string) error
	Close() error
}

// Handle is an open file of an [FS].
type Handle interface {
	io.Reader
	io.Writer
	io.StringWriter
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Sync() error
	Close() error
}

// Folder is an open folder of an [FS]. Its methods may be called from
// several goroutines.
type Folder interface {
	// List returns the folder's entries, in no order.
	List() ([]fs.DirEntry, error)
	// Stamp returns the stamp and the type of an entry, symbolic links not
	// followed.
	Stamp(entry fs.DirEntry) (stratum.Stamp, fs.FileMode, error)
	Close() error
}

// rootFS is the real file system, kept inside the vault by os.Root.
type rootFS struct{ root *os.Root }

func (r rootFS) Open(name string) (Handle, error) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return file{f, name}, nil
}

func (r rootFS) Create(name string, perm fs.FileMode) (Handle, error) {
	f, err := r.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	return file{f, name}, nil
}

func (r rootFS) OpenFolder(name string) (Folder, error) { return openFolder(r.root, name) }

func (r rootFS) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

func (r rootFS) Readlink(name string) (string, error) { return r.root.Readlink(name) }

func (r rootFS) Mkdir(name string, perm fs.FileMode) error { return r.root.Mkdir(name, perm) }

func (r rootFS) Rename(from, to string) error { return rename(r.root, from, to) }

func (r rootFS) Link(from, to string) error { return r.root.Link(from, to) }

func (r rootFS) Remove(name string) error { return r.root.Remove(name) }

func (r rootFS) SetModified(name string, to time.Time) error {
	return r.root.Chtimes(name, time.Time{}, to)
}

func (r rootFS) SyncFolder(name string) error { return syncFolder(r.root, name) }

func (r rootFS) Close() error { return r.root.Close() }

// file is an open file whose errors hold its name in the vault, where those of
// os.File hold the absolute path.
type file struct {
	f    *os.File
	name string
}

func (f file) Read(b []byte) (int, error) {
	n, err := f.f.Read(b)
	return n, f.named(err)
}

func (f file) Write(b []byte) (int, error) {
	n, err := f.f.Write(b)
	return n, f.named(err)
}

func (f file) WriteString(s string) (int, error) {
	n, err := f.f.WriteString(s)
	return n, f.named(err)
}

func (f file) Stat() (fs.FileInfo, error) {
	info, err := f.f.Stat()
	return info, f.named(err)
}

func (f file) Chmod(mode fs.FileMode) error { return f.named(f.f.Chmod(mode)) }

func (f file) Chown(uid, gid int) error { return f.named(f.f.Chown(uid, gid)) }

func (f file) Sync() error { return f.named(f.f.Sync()) }

func (f file) Close() error { return f.named(f.f.Close()) }

func (f file) named(err error) error {
	if e, ok := err.(*fs.PathError); ok { //nolint:errorlint // os.File wraps nothing
		return &fs.PathError{Op: e.Op, Path: f.name, Err: e.Err}
	}
	return err
}

// stampOf returns what info says of a file.
func stampOf(info fs.FileInfo) stratum.Stamp {
	return stratum.Stamp{
		Size:     info.Size(),
		Modified: info.ModTime().UnixNano(),
		Inode:    inode(info),
	}
}

// folderOf returns the name of the folder that holds name.
func folderOf(name string) string { return path.Dir(name) }
