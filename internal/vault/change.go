package vault

import (
	"errors"
	"fmt"
	"io/fs"

	"stratum"
)

// Change is a replaced or removed note whose previous file is still kept, so
// that it can be put back. End it with Commit or Undo, before the vault's lock
// is released. It is used by one goroutine.
type Change struct {
	Path stratum.Path
	// Stamp is the note's new stamp; zero after a removal.
	Stamp stratum.Stamp
	// Before is the stamp of the very file that was replaced or removed; zero
	// where there was none.
	Before stratum.Stamp
	// Existed reports that the note was there before.
	Existed bool

	fs   FS
	name string
	kept string   // hidden name of the previous file, "" where there is none
	made []string // folders made for the note, outermost first
	done bool
}

// errOverwritten tells that Undo left what another program wrote meanwhile.
var errOverwritten = errors.New("another program changed the note after the write, so it stays as that program left it")

// Commit drops the previous file. An error means no more than that a hidden
// file stays until the next [Vault.SweepTemp]; the note is as it should be.
func (c *Change) Commit() error {
	if c.done || c.kept == "" {
		c.done = true
		return nil
	}
	if err := c.fs.Remove(c.kept); err != nil {
		return fmt.Errorf("drop the previous file of %s: %w", c.Path, err)
	}
	c.done = true
	return nil
}

// Undo puts the previous file back, with its own mtime, or removes a note that
// was new and the folders made for it (decision 5.9). After Commit it does
// nothing. A note that another program has changed since stays.
func (c *Change) Undo() error {
	if c.done {
		return nil
	}
	if err := c.undo(); err != nil {
		return fmt.Errorf("put back %s: %w", c.Path, err)
	}
	c.done = true
	return nil
}

func (c *Change) undo() error {
	info, err := c.fs.Lstat(c.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if c.Stamp != (stratum.Stamp{}) {
			return c.drop(errOverwritten)
		}
	case err != nil:
		return err
	case stampOf(info) != c.Stamp:
		return c.drop(errOverwritten)
	}

	if c.kept != "" {
		if err := c.fs.Rename(c.kept, c.name); err != nil {
			return err
		}
		c.kept = ""
		return c.fs.SyncFolder(folderOf(c.name))
	}
	if err := c.fs.Remove(c.name); err != nil {
		return err
	}
	err = c.fs.SyncFolder(folderOf(c.name))
	removeFolders(c.fs, c.made)
	return err
}

// drop gives up on putting the previous file back.
func (c *Change) drop(because error) error {
	c.done = true
	if c.kept == "" {
		return because
	}
	return errors.Join(because, c.fs.Remove(c.kept))
}
