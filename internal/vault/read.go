package vault

import (
	"errors"
	"io"
	"io/fs"
	"unsafe"

	"stratum"
)

const (
	// noteMax is the most bytes of a note that are read. A larger file is
	// no note that a model or an index could use.
	noteMax = 256 << 20
	// readTries is how often a file that changes while it is read is read.
	readTries = 4
)

// File is one note as it stood on the disk at one moment.
type File struct {
	Content string // exact bytes; not always valid UTF-8
	Stamp   stratum.Stamp
	Hash    stratum.Hash // of Content
}

// Read returns the note at p. It is NotFound by decision 5.2 where there is
// no note, External where the file cannot be read. A file that some program
// keeps writing to is returned as it was read, with a stamp from before, so
// that a later stamp tells that it has changed.
func (v *Vault) Read(p stratum.Path) (File, error) {
	name, _, err := v.note(p)
	if err != nil {
		return File{}, err
	}
	for try := 1; ; try++ {
		content, stamp, steady, err := v.readOnce(name)
		if isAbsent(err) {
			return File{}, stratum.ErrNotFound(p)
		}
		if err != nil {
			return File{}, readError(p, err)
		}
		if steady || try == readTries {
			return File{
				// Nobody else holds the bytes, so they can be the string.
				Content: unsafe.String(unsafe.SliceData(content), len(content)),
				Stamp:   stamp,
				Hash:    stratum.HashOf(content),
			}, nil
		}
	}
}

// Stat returns the stamp of the note at p, with the errors of [Vault.Read].
func (v *Vault) Stat(p stratum.Path) (stratum.Stamp, error) {
	_, info, err := v.note(p)
	if err != nil {
		return stratum.Stamp{}, err
	}
	return stampOf(info), nil
}

// Find returns the note at p as a scan would list it. Unlike [Vault.Stat] it
// follows no symbolic link, so what it finds NotFound does not belong into an
// index.
func (v *Vault) Find(p stratum.Path) (Entry, error) {
	name, info, err := v.note(p)
	if err != nil {
		return Entry{}, err
	}
	if name != p.String() {
		return Entry{}, stratum.ErrNotFound(p)
	}
	return Entry{p, stampOf(info)}, nil
}

// note finds the regular file that the note at p is read from.
func (v *Vault) note(p stratum.Path) (string, fs.FileInfo, error) {
	if p.IsTemplate() {
		return "", nil, notTemplate(p)
	}
	name, info, err := v.follow(p.String())
	switch {
	case isAbsent(err), errors.Is(err, errOutside), errors.Is(err, errLoop):
		return "", nil, stratum.ErrNotFound(p)
	case err != nil:
		return "", nil, readError(p, err)
	case !info.Mode().IsRegular():
		return "", nil, stratum.ErrNotFound(p)
	}
	return name, info, nil
}

// readOnce reads the file at name. steady reports that size and mtime were
// the same before and after; stamp is the one from before.
func (v *Vault) readOnce(name string) (content []byte, stamp stratum.Stamp, steady bool, err error) {
	f, err := v.fs.Open(name)
	if err != nil {
		return nil, stratum.Stamp{}, false, err
	}
	defer f.Close()

	before, err := f.Stat()
	if err != nil {
		return nil, stratum.Stamp{}, false, err
	}
	if !before.Mode().IsRegular() {
		return nil, stratum.Stamp{}, false, fs.ErrNotExist
	}
	content, err = readAll(f, before.Size())
	if err != nil {
		return nil, stratum.Stamp{}, false, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, stratum.Stamp{}, false, err
	}
	stamp = stampOf(before)
	return content, stamp, stampOf(after) == stamp && int64(len(content)) == stamp.Size, nil
}

var errTooLarge = errors.New("the file is too large for a note")

// readAll reads size bytes of r and one more where there is one, which tells
// that the file has grown. It never follows a file that keeps growing.
func readAll(r io.Reader, size int64) ([]byte, error) {
	if size > noteMax {
		return nil, errTooLarge
	}
	b := make([]byte, size+1)
	n, err := io.ReadFull(r, b)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return b[:n], nil
}

// notTemplate returns the NotFound error for a path that names a template.
func notTemplate(p stratum.Path) *stratum.Error {
	e := stratum.ErrNotFound(p)
	e.Hint = "Files under " + stratum.TemplatesDir + "/ are templates, not notes; no tool reads or deletes them."
	return e
}

// readError returns the External error for a note that is there and cannot be
// read.
func readError(p stratum.Path, err error) *stratum.Error {
	e := &stratum.Error{
		Kind:    stratum.External,
		Message: "The note cannot be read: " + p.String(),
		Hint:    "Try again; if it goes on, the operator should check the file and the vault's disk.",
		Path:    p.String(),
		Cause:   err,
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "Tell the operator to check the file's permissions."
	case errors.Is(err, errTooLarge):
		e.Hint = "The file is larger than any note can be. Tell the operator."
	}
	return e
}
