package vaulttest

import (
	"errors"
	"io/fs"
	"sync"
	"time"

	"stratum"
	"stratum/internal/vault"
)

// Pretend, as the fault of a sync or syncfolder, has it do nothing and succeed:
// for tests of many writes that no crash is part of.
var Pretend = errors.New("pretend")

// Op is one operation on the file system, as a fault sees it.
type Op struct {
	N    int    // 1 for the first since the fault was set
	Name string // open, create, list, stamp, lstat, readlink, mkdir, rename, link, remove, settime, syncfolder, read, write, stat, chmod, chown, sync, close
	Path string // in the vault; the new name of a rename or link
}

// Faults makes a vault's file system fail on demand. Its zero value fails
// nothing. Hand its Wrap to vault.OpenFS.
type Faults struct {
	mu   sync.Mutex // guards the fields below
	n    int
	fail func(Op) error
}

// Set makes every operation from now on fail with what fail returns for it,
// where that is not nil. A failing write stores half of its bytes, a failing
// close closes; everything else that fails does nothing. nil ends the faults.
func (f *Faults) Set(fail func(Op) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n, f.fail = 0, fail
}

// Nth makes the nth operation from now on fail with err.
func (f *Faults) Nth(n int, err error) {
	f.Set(func(op Op) error {
		if op.N == n {
			return err
		}
		return nil
	})
}

// Count returns how many operations there were since the last Set or Nth.
func (f *Faults) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// Wrap returns the file system with the faults in front of it.
func (f *Faults) Wrap(fsys vault.FS) vault.FS { return faultFS{fsys, f} }

// check counts an operation and returns its fault.
func (f *Faults) check(name, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.fail == nil {
		return nil
	}
	if err := f.fail(Op{f.n, name, path}); err != nil {
		return &fs.PathError{Op: name, Path: path, Err: err}
	}
	return nil
}

type faultFS struct {
	fs     vault.FS
	faults *Faults
}

func (f faultFS) Open(name string) (vault.Handle, error) {
	if err := f.faults.check("open", name); err != nil {
		return nil, err
	}
	return f.handle(name)(f.fs.Open(name))
}

func (f faultFS) Create(name string, perm fs.FileMode) (vault.Handle, error) {
	if err := f.faults.check("create", name); err != nil {
		return nil, err
	}
	return f.handle(name)(f.fs.Create(name, perm))
}

func (f faultFS) handle(name string) func(vault.Handle, error) (vault.Handle, error) {
	return func(h vault.Handle, err error) (vault.Handle, error) {
		if err != nil {
			return nil, err
		}
		return faultHandle{h, f.faults, name}, nil
	}
}

func (f faultFS) OpenFolder(name string) (vault.Folder, error) {
	if err := f.faults.check("open", name); err != nil {
		return nil, err
	}
	d, err := f.fs.OpenFolder(name)
	if err != nil {
		return nil, err
	}
	return faultFolder{d, f.faults, name}, nil
}

func (f faultFS) Lstat(name string) (fs.FileInfo, error) {
	if err := f.faults.check("lstat", name); err != nil {
		return nil, err
	}
	return f.fs.Lstat(name)
}

func (f faultFS) Readlink(name string) (string, error) {
	if err := f.faults.check("readlink", name); err != nil {
		return "", err
	}
	return f.fs.Readlink(name)
}

func (f faultFS) Mkdir(name string, perm fs.FileMode) error {
	if err := f.faults.check("mkdir", name); err != nil {
		return err
	}
	return f.fs.Mkdir(name, perm)
}

func (f faultFS) Rename(from, to string) error {
	if err := f.faults.check("rename", to); err != nil {
		return err
	}
	return f.fs.Rename(from, to)
}

func (f faultFS) Link(from, to string) error {
	if err := f.faults.check("link", to); err != nil {
		return err
	}
	return f.fs.Link(from, to)
}

func (f faultFS) Remove(name string) error {
	if err := f.faults.check("remove", name); err != nil {
		return err
	}
	return f.fs.Remove(name)
}

func (f faultFS) SetModified(name string, to time.Time) error {
	if err := f.faults.check("settime", name); err != nil {
		return err
	}
	return f.fs.SetModified(name, to)
}

func (f faultFS) SyncFolder(name string) error {
	err := f.faults.check("syncfolder", name)
	if errors.Is(err, Pretend) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.fs.SyncFolder(name)
}

func (f faultFS) Close() error { return f.fs.Close() }

type faultHandle struct {
	vault.Handle

	faults *Faults
	name   string
}

func (h faultHandle) Read(b []byte) (int, error) {
	if err := h.faults.check("read", h.name); err != nil {
		return 0, err
	}
	return h.Handle.Read(b)
}

func (h faultHandle) Write(b []byte) (int, error) {
	if fault := h.faults.check("write", h.name); fault != nil {
		n, err := h.Handle.Write(b[:len(b)/2])
		if err != nil {
			return n, err
		}
		return n, fault
	}
	return h.Handle.Write(b)
}

func (h faultHandle) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

func (h faultHandle) Stat() (fs.FileInfo, error) {
	if err := h.faults.check("stat", h.name); err != nil {
		return nil, err
	}
	return h.Handle.Stat()
}

func (h faultHandle) Chmod(mode fs.FileMode) error {
	if err := h.faults.check("chmod", h.name); err != nil {
		return err
	}
	return h.Handle.Chmod(mode)
}

func (h faultHandle) Chown(uid, gid int) error {
	if err := h.faults.check("chown", h.name); err != nil {
		return err
	}
	return h.Handle.Chown(uid, gid)
}

func (h faultHandle) Sync() error {
	err := h.faults.check("sync", h.name)
	if errors.Is(err, Pretend) {
		return nil
	}
	if err != nil {
		return err
	}
	return h.Handle.Sync()
}

func (h faultHandle) Close() error {
	if fault := h.faults.check("close", h.name); fault != nil {
		if err := h.Handle.Close(); err != nil {
			return err
		}
		return fault
	}
	return h.Handle.Close()
}

type faultFolder struct {
	vault.Folder

	faults *Faults
	name   string
}

func (d faultFolder) List() ([]fs.DirEntry, error) {
	if err := d.faults.check("list", d.name); err != nil {
		return nil, err
	}
	return d.Folder.List()
}

func (d faultFolder) Stamp(entry fs.DirEntry) (stratum.Stamp, fs.FileMode, error) {
	if err := d.faults.check("stamp", d.name+"/"+entry.Name()); err != nil {
		return stratum.Stamp{}, 0, err
	}
	return d.Folder.Stamp(entry)
}
