// Package vault reads, lists and atomically replaces the notes of a vault
// through os.Root, and touches nothing outside it. It also keeps the server's
// own files below .pkm/mcp and the lock that writers of several processes
// exclude each other by. It knows files and bytes, not Markdown.
package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// pkmDir is the folder that makes a directory a vault (decision 5.1).
const pkmDir = ".pkm"

// Vault is an open vault. Its methods may be called from several goroutines;
// Replace, Remove and SweepTemp only while [Vault.Lock] is held.
type Vault struct {
	dir  string // absolute, as given; the root itself may be a symbolic link
	real string // dir with symbolic links resolved
	id   fs.FileInfo
	fs   FS
	now  func() time.Time
}

// Open opens the vault at dir: a directory that has a .pkm directory
// (decision 5.1). It fails with one line that says what to do. A vault that
// cannot be written opens all the same, for reading.
func Open(dir string) (*Vault, error) {
	return OpenFS(dir, func(f FS) FS { return f })
}

// OpenFS opens the vault at dir with every operation on its files going
// through what wrap makes of the real file system. Tests make it fail.
func OpenFS(dir string, wrap func(FS) FS) (*Vault, error) {
	abs, id, err := directory(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("open vault %s: %w", dir, bare(err))
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open vault %s: %w", dir, bare(err))
	}
	if info, err := root.Stat(pkmDir); err != nil || !info.IsDir() {
		root.Close()
		return nil, fmt.Errorf("%s is not a vault: it has no %s folder; make it one with: stratum-mcp init %s", dir, pkmDir, dir)
	}

	v := &Vault{dir: abs, real: real, id: id, fs: wrap(rootFS{root}), now: time.Now}
	// A vault that cannot be written is no error before something is written.
	_ = v.State().ensure()
	return v, nil
}

// Init makes the directory at dir a vault and leaves one as it is. It makes
// no directory but those below dir, and no blocks.db.
func Init(dir string) error {
	abs, _, err := directory(dir)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return fmt.Errorf("open %s: %w", dir, bare(err))
	}
	defer root.Close()

	if err := root.Mkdir(pkmDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make %s in %s: %w", pkmDir, dir, bare(err))
	}
	if info, err := root.Stat(pkmDir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s has a %s that is no folder; move it away first", dir, pkmDir)
	}
	v := &Vault{dir: abs, fs: rootFS{root}, now: time.Now}
	if err := v.State().ensure(); err != nil {
		return fmt.Errorf("make %s in %s: %w", stateDir, dir, err)
	}
	return nil
}

// Close releases the vault's directory. Methods fail afterwards.
func (v *Vault) Close() error { return v.fs.Close() }

// Dir returns the vault's absolute directory.
func (v *Vault) Dir() string { return v.dir }

// directory checks that dir is a directory and returns its absolute path.
func directory(dir string) (string, fs.FileInfo, error) {
	if dir == "" {
		return "", nil, errors.New("no vault given; name the folder that holds the notes")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, fmt.Errorf("find %s: %w", dir, err)
	}
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("there is no folder %s; check the vault's path", dir)
	}
	if err != nil {
		return "", nil, fmt.Errorf("open %s: %w", dir, bare(err))
	}
	if !info.IsDir() {
		return "", nil, fmt.Errorf("%s is no folder; name the folder that holds the notes", dir)
	}
	return abs, info, nil
}

// moved reports that the vault's directory is no longer where it was opened:
// the lock, which goes by its name, would then exclude nobody.
func (v *Vault) moved() error {
	info, err := os.Stat(v.dir)
	if err != nil {
		return fmt.Errorf("find the vault's folder: %w", bare(err))
	}
	if !os.SameFile(info, v.id) {
		return errors.New("the vault's folder was moved or replaced while the server runs")
	}
	return nil
}
