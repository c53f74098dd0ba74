package vault

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

const (
	// stateDir holds the server's own files (decision 8.6).
	stateDir = pkmDir + "/mcp"
	// stateDirMode keeps everyone else out.
	stateDirMode = 0o700
	// damagedMark stands between the name of a file that was set aside and
	// the time.
	damagedMark = ".damaged-"
	// damagedMax is how many files that were set aside are kept of a name.
	damagedMax = 3
	// stateBuffer is how many bytes a streaming write collects.
	stateBuffer = 64 << 10
)

// State is the server's own files below .pkm/mcp, which only the owner can
// read. Their names have no folders: small letters, digits, "-", "_" and ".".
type State struct{ v *Vault }

// State returns the access to the server's own files.
func (v *Vault) State() State { return State{v} }

// Read returns the file's bytes; the error is fs.ErrNotExist where it is not
// there.
func (s State) Read(name string) ([]byte, error) {
	f, size, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, size)
	n, err := io.ReadFull(f, b)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return b[:n], nil
}

// Open opens the file for reading and returns its size; the error is
// fs.ErrNotExist where it is not there.
func (s State) Open(name string) (io.ReadCloser, int64, error) {
	file, err := stateFile(name)
	if err != nil {
		return nil, 0, err
	}
	f, err := s.v.fs.Open(file)
	if err != nil {
		return nil, 0, fmt.Errorf("open %s: %w", name, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("open %s: %w", name, err)
	}
	return f, info.Size(), nil
}

// Write replaces the file with what fill writes, all of it or nothing, and
// durably. fill's writer is buffered. An error of fill is returned as it is
// and leaves the file alone.
func (s State) Write(name string, fill func(io.Writer) error) error {
	file, err := stateFile(name)
	if err != nil {
		return err
	}
	if err := s.ensure(); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	temp, err := createTemp(s.v.fs, file, ownerMode, func(f Handle) error {
		w := bufio.NewWriterSize(f, stateBuffer)
		if err := fill(w); err != nil {
			return err
		}
		return w.Flush()
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := s.v.fs.Rename(temp, file); err != nil {
		return fmt.Errorf("write %s: %w", name, errors.Join(err, s.v.fs.Remove(temp)))
	}
	if err := s.v.fs.SyncFolder(stateDir); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// SetAside renames a damaged file to its name, ".damaged-" and the time, and
// returns the new name (decision 8.7). Of one name the latest few are kept.
func (s State) SetAside(name string) (string, error) {
	file, err := stateFile(name)
	if err != nil {
		return "", err
	}
	aside := name + damagedMark + s.v.now().UTC().Format("20060102t150405.000000000z")
	if err := s.v.fs.Rename(file, stateDir+"/"+aside); err != nil {
		return "", fmt.Errorf("set %s aside: %w", name, err)
	}
	if err := s.dropDamaged(name); err != nil {
		return aside, fmt.Errorf("drop old damaged files of %s: %w", name, err)
	}
	return aside, nil
}

// dropDamaged removes all but the latest files of name that were set aside.
func (s State) dropDamaged(name string) error {
	var aside []string
	entries, err := s.list()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), name+damagedMark) {
			aside = append(aside, e.Name())
		}
	}
	slices.Sort(aside) // by time
	var errs []error
	for _, old := range aside[:max(0, len(aside)-damagedMax)] {
		errs = append(errs, s.v.fs.Remove(stateDir+"/"+old))
	}
	return errors.Join(errs...)
}

// Remove removes the file; one that is not there is no error.
func (s State) Remove(name string) error {
	file, err := stateFile(name)
	if err != nil {
		return err
	}
	if err := s.v.fs.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}

// ensure makes the folder and its .gitignore where they are missing: vaults
// are synced, secrets are not (decision 8.6).
func (s State) ensure() error {
	if err := s.v.fs.Mkdir(stateDir, stateDirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	const ignore = stateDir + "/.gitignore"
	if _, err := s.v.fs.Lstat(ignore); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp, err := createTemp(s.v.fs, ignore, ownerMode, func(f Handle) error {
		_, err := f.WriteString("*\n")
		return err
	})
	if err != nil {
		return err
	}
	if err := s.v.fs.Rename(temp, ignore); err != nil {
		return errors.Join(err, s.v.fs.Remove(temp))
	}
	return nil
}

func (s State) list() ([]fs.DirEntry, error) {
	d, err := s.v.fs.OpenFolder(stateDir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.List()
}

// sweep removes temporary files that no write can still be using.
func (s State) sweep() error {
	entries, err := s.list()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range entries {
		if !isTemp(e.Name()) {
			continue
		}
		name := stateDir + "/" + e.Name()
		info, err := s.v.fs.Lstat(name)
		if err == nil && s.v.now().Sub(info.ModTime()) > stateTempAge {
			err = s.v.fs.Remove(name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// stateFile checks a state file's name and returns its name in the vault.
func stateFile(name string) (string, error) {
	foreign := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.", r)
	}
	if name == "" || name == lockName || name[0] == '.' || len(name) > 100 || strings.ContainsFunc(name, foreign) {
		return "", fmt.Errorf("%q is no name of a state file", name)
	}
	return stateDir + "/" + name, nil
}
