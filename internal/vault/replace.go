package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"time"

	"stratum"
)

const (
	// newMode is a new note's mode, before the umask.
	newMode = 0o644
	// ownerMode is the mode of a file that nobody else may look at yet.
	ownerMode = 0o600
	// folderMode is a new folder's mode, before the umask.
	folderMode = 0o755
)

// Replace makes content the whole text of the note at p, creating it and its
// folders where they are missing. A crash leaves the whole old or the whole
// new note. The file's mode and, as far as the system allows, its owner stay;
// its mtime becomes strictly later than it was (decision 5.7). Refusals by
// decision 5.3 are InvalidArgs, failures of the disk External; both leave
// nothing behind.
func (v *Vault) Replace(p stratum.Path, content string) (*Change, error) {
	const doing = "save the note"
	at, err := v.locate(p, doing)
	if err != nil {
		return nil, err
	}
	c := v.change(at)
	if err := c.put(at, content, v.now()); err != nil {
		return nil, storageError(doing, p, err)
	}
	if err := c.settle(); err != nil {
		return nil, storageError(doing, p, err)
	}
	return c, nil
}

// Remove removes the note at p; its folder stays, even when empty (decision
// 5.10). It is NotFound where there is no note, InvalidArgs by decision 5.3.
func (v *Vault) Remove(p stratum.Path) (*Change, error) {
	const doing = "delete the note"
	if p.IsTemplate() {
		return nil, notTemplate(p)
	}
	at, err := v.locate(p, doing)
	if err != nil {
		return nil, err
	}
	if at.old == nil {
		return nil, stratum.ErrNotFound(p)
	}
	c := v.change(at)
	kept := tempName(c.name)
	err = v.fs.Rename(c.name, kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, stratum.ErrNotFound(p)
	}
	if err != nil {
		return nil, storageError(doing, p, err)
	}
	c.kept = kept
	if err := c.settle(); err != nil {
		return nil, storageError(doing, p, err)
	}
	return c, nil
}

func (v *Vault) change(at place) *Change {
	c := &Change{Path: at.path, fs: v.fs, name: at.path.String()}
	if at.old != nil {
		c.Existed = true
		c.Before = stampOf(at.old)
	}
	return c
}

// put writes the new file and renames it over the old one. When a step fails
// the steps before it are taken back.
func (c *Change) put(at place, content string, now time.Time) (err error) {
	var temp string
	defer func() {
		if err != nil {
			err = errors.Join(err, remove(c.fs, temp), remove(c.fs, c.kept))
			removeFolders(c.fs, c.made)
		}
	}()

	if err := c.makeFolders(at.missing); err != nil {
		return err
	}
	if err := c.keep(at.old); err != nil {
		return err
	}
	temp, err = createTemp(c.fs, c.name, modeFor(at.old), func(f Handle) error {
		if _, err := f.WriteString(content); err != nil {
			return err
		}
		return makeLike(f, at.old)
	})
	if err != nil {
		return err
	}
	if c.Stamp, err = c.setLater(temp, now); err != nil {
		return err
	}
	return c.fs.Rename(temp, c.name)
}

// makeFolders makes the missing folders and remembers them for Undo. One that
// another process makes at the same moment is that process's.
func (c *Change) makeFolders(missing []string) error {
	for _, dir := range missing {
		err := c.fs.Mkdir(dir, folderMode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		c.made = append(c.made, dir)
	}
	return nil
}

// keep gives the previous file a second, hidden name, or copies it where the
// file system has no hard links.
func (c *Change) keep(old fs.FileInfo) error {
	if old == nil {
		return nil
	}
	kept := tempName(c.name)
	err := c.fs.Link(c.name, kept)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		kept, err = c.copyOld(old)
	}
	if errors.Is(err, fs.ErrNotExist) {
		// Another program has just removed the note.
		c.Existed, c.Before = false, stratum.Stamp{}
		return nil
	}
	if err != nil {
		return err
	}
	c.kept = kept
	info, err := c.fs.Lstat(c.name)
	if err != nil {
		return err
	}
	c.Before = stampOf(info)
	return nil
}

func (c *Change) copyOld(old fs.FileInfo) (string, error) {
	from, err := c.fs.Open(c.name)
	if err != nil {
		return "", err
	}
	defer from.Close()
	kept, err := createTemp(c.fs, c.name, ownerMode, func(f Handle) error {
		if _, err := io.Copy(f, from); err != nil {
			return err
		}
		return makeLike(f, old)
	})
	if err != nil {
		return "", err
	}
	if err := c.fs.SetModified(kept, old.ModTime()); err != nil {
		return "", errors.Join(err, c.fs.Remove(kept))
	}
	return kept, nil
}

// setLater sets the new file's mtime to now, or to the first moment after the
// old one's that the file system can tell apart where the clock has not moved
// on or the old mtime lies in the future. The exact now, where the system's
// own stamps are coarser, also tells the write from another program's in the
// same tick.
func (c *Change) setLater(temp string, now time.Time) (stratum.Stamp, error) {
	before := int64(math.MinInt64)
	if c.Existed {
		before = c.Before.Modified
	}
	// The granularities of file systems: 1 ns, 100 ns (NTFS), 1 µs, 1 ms,
	// 10 ms (exFAT), 1 s, 2 s (FAT).
	for _, step := range []time.Duration{1, 100, time.Microsecond, time.Millisecond, 10 * time.Millisecond, time.Second, 2 * time.Second} {
		at := max(now.UnixNano(), before+int64(step))
		if err := c.fs.SetModified(temp, time.Unix(0, at)); err != nil {
			return stratum.Stamp{}, err
		}
		info, err := c.fs.Lstat(temp)
		if err != nil {
			return stratum.Stamp{}, err
		}
		if stamp := stampOf(info); stamp.Modified > before {
			return stamp, nil
		}
	}
	return stratum.Stamp{}, errors.New("the file system keeps no modification time later than the note's")
}

// settle makes a rename durable. When that fails it undoes the change.
func (c *Change) settle() error {
	err := c.fs.SyncFolder(folderOf(c.name))
	for _, dir := range slices.Backward(c.made) {
		if err == nil {
			err = c.fs.SyncFolder(folderOf(dir))
		}
	}
	if err == nil {
		return nil
	}
	if undo := c.Undo(); undo != nil {
		return fmt.Errorf("%w: %w, after: %w", errNotUndone, undo, err)
	}
	return err
}

// modeFor returns the mode that a new note's file is created with.
func modeFor(old fs.FileInfo) fs.FileMode {
	if old == nil {
		return newMode
	}
	return ownerMode
}

// makeLike gives an open file the mode of the old one and, as far as the
// system allows, its owner and group.
func makeLike(f Handle, old fs.FileInfo) error {
	if old == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	uid, gid, ok := owner(info)
	oldUID, oldGID, _ := owner(old)
	if ok && (uid != oldUID || gid != oldGID) && f.Chown(oldUID, oldGID) != nil {
		_ = f.Chown(-1, oldGID) // best effort: only root may give files away
	}
	if info.Mode().Perm() == old.Mode().Perm() {
		return nil
	}
	return f.Chmod(old.Mode().Perm())
}

// remove removes the file at name; "" is none.
func remove(fsys FS, name string) error {
	if name == "" {
		return nil
	}
	return fsys.Remove(name)
}

// removeFolders removes folders that were made, innermost first, up to one
// that somebody has put something into.
func removeFolders(fsys FS, made []string) {
	for _, dir := range slices.Backward(made) {
		if fsys.Remove(dir) != nil {
			return
		}
	}
}
