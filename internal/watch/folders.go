package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"stratum"
)

// errTooMany tells that the system has no watch left for another folder.
var errTooMany = errors.New("no watch is left")

// change sorts one event of the file system into the batch.
func (w *Watcher) change(e fsnotify.Event) {
	name, ok := w.name(e.Name)
	if !ok {
		return
	}
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	switch {
	case name == "" && gone:
		w.poll("its folder was removed or renamed")
	case name == "" || hidden(name):
	case gone && w.folders[name]:
		w.leave(name, e.Has(fsnotify.Rename))
	case gone:
		w.note(name)
	case w.folders[name] && !e.Has(fsnotify.Create): // its contents are reported by themselves
	case e.Has(fsnotify.Create) || e.Has(fsnotify.Chmod):
		w.appear(name)
	default:
		w.note(name)
	}
}

// name returns the path of an event's file relative to the vault, with "/"
// between components; "" is the vault itself.
func (w *Watcher) name(file string) (string, bool) {
	rel, err := filepath.Rel(w.dir, file)
	if file == "" || err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return filepath.ToSlash(rel), true
}

// hidden reports a name that is no note's and no folder's of notes (decision
// 5.2). Temporary files of every well-behaved program are hidden.
func hidden(name string) bool {
	if name == stratum.TemplatesDir || strings.HasPrefix(name, stratum.TemplatesDir+"/") {
		return true
	}
	return name[0] == '.' || strings.Contains(name, "/.")
}

// note reports the file at name if it can be a note.
func (w *Watcher) note(name string) {
	if !strings.HasSuffix(name, stratum.NoteExt) {
		return
	}
	if p, err := stratum.ParsePath(name); err == nil {
		w.batch.path(p)
	}
}

// appear handles a file or folder that is new or may only now be readable.
func (w *Watcher) appear(name string) {
	info, err := os.Lstat(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil || !info.IsDir() {
		w.note(name)
		return
	}
	if err := w.add(name, true); err != nil {
		w.poll(reason(err))
	}
}

// leave forgets a folder that was removed or renamed. A renamed one goes on
// being watched under its old name, together with all below it, so the watches
// have to be set anew.
func (w *Watcher) leave(name string, renamed bool) {
	for folder := range w.folders {
		if folder == name || strings.HasPrefix(folder, name+"/") {
			delete(w.folders, folder)
		}
	}
	w.rebuild = w.rebuild || renamed
	w.batch.rescan()
}

// add watches the folder at name and those below it. report tells about the
// notes found, which may have been there before the watch was. Its only errors
// are those that watching ends with.
func (w *Watcher) add(name string, report bool) error {
	folder := filepath.Join(w.dir, filepath.FromSlash(name))
	// The watch comes before the listing, so that nothing falls between.
	err := w.feed.src.Add(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name != "":
		return nil
	case outOfWatches(err):
		return errTooMany
	case err != nil && name == "":
		return err
	case err != nil:
		w.batch.trouble("The folder " + name + " cannot be watched; it is scanned with the rest of the vault.")
		return nil
	}
	w.folders[name] = true

	entries, err := os.ReadDir(folder)
	if err != nil && name == "" {
		return err
	}
	if w.entries += len(entries); perFileWatch && w.entries > perFileMax {
		return errTooMany
	}
	for _, e := range entries {
		sub := e.Name()
		if name != "" {
			sub = name + "/" + sub
		}
		switch {
		case hidden(sub):
		case !e.IsDir():
			if report {
				w.note(sub)
			}
		default:
			if err := w.add(sub, report); err != nil {
				return err
			}
		}
	}
	return nil
}

func outOfWatches(err error) bool {
	for _, limit := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, limit) {
			return true
		}
	}
	return false
}

// reason returns why watching failed, without a path.
func reason(err error) string {
	if errors.Is(err, errTooMany) || outOfWatches(err) {
		return "the system's limit of watched folders or open files is reached (" + limitHint + ")"
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	return "the system refused: " + err.Error()
}
