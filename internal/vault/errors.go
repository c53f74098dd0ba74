package vault

import (
	"errors"
	"io/fs"

	"stratum"
)

// errNotUndone tells that a change failed after it was made, and stands.
var errNotUndone = errors.New("the change could not be undone")

// bare returns the cause of an error of package os without the absolute path
// it holds. Errors of an [FS] hold names relative to the vault.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// storageError returns err, met while doing what doing names ("save the
// note"), in the contract's words. p may be the zero Path.
func storageError(doing string, p stratum.Path, err error) error {
	if e, ok := errors.AsType[*stratum.Error](err); ok {
		return e
	}
	if isTooLong(err) {
		return refuse(p, "The path is longer than the vault's file system allows.",
			"Give a path with shorter names.")
	}
	e := stratum.ErrExternal(doing, err)
	e.Path = p.String()
	switch {
	case errors.Is(err, errNotUndone):
		e.Message = "The server failed to " + doing + " and then to put the previous state back."
		e.Hint = "Read the note to see what stands, and tell the operator to check the vault's disk."
	case isFull(err):
		e.Message = "The disk of the vault is full, so the server could not " + doing + "; nothing was changed."
		e.Hint = "Tell the operator to free space on the vault's disk, then try again."
	case isReadOnly(err):
		e.Message = "The vault is on a read-only file system, so the server could not " + doing + "; nothing was changed."
		e.Hint = "Reading and searching go on. Tell the operator to mount the vault for writing."
	case errors.Is(err, fs.ErrPermission):
		e.Message = "The server has no permission to " + doing + "; nothing was changed."
		e.Hint = "Tell the operator to check the owner and the permissions of the vault's files and folders."
	}
	return e
}

// refuse returns an InvalidArgs error about the path p.
func refuse(p stratum.Path, message, hint string) *stratum.Error {
	return &stratum.Error{Kind: stratum.InvalidArgs, Message: message, Hint: hint, Path: p.String()}
}

// isAbsent reports that err means "there is no such file": missing, a file
// where a folder should be, or a name that no file can have.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) || isNotDir(err) || isTooLong(err)
}
