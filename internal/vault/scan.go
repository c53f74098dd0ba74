package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"stratum"
)

// Entry is one note that a scan found.
type Entry struct {
	Path  stratum.Path
	Stamp stratum.Stamp
}

// Skip is something that a scan left out and that its owner may wonder about.
type Skip struct {
	// Path is relative to the vault, quoted where it holds what no path may.
	Path string
	// Folder tells that Path is a folder whose notes are all unknown, so
	// their absence from the scan does not mean that they are gone.
	Folder bool
	// Reason is one short clause.
	Reason string
	// Err is what the file system said, nil where it was not asked.
	Err error
}

// Scan is what a vault's folders hold.
type Scan struct {
	Entries []Entry // by path
	Skipped []Skip  // by path
}

// chunk is how many notes of one folder one goroutine asks the stamps of.
const chunk = 256

// Scan lists every note (decision 5.2). Hidden folders are passed over before
// anything in them is opened. What cannot be read is in Skipped; only a vault
// whose own folder cannot be read, and the end of ctx, are errors.
func (v *Vault) Scan(ctx context.Context) (Scan, error) {
	if err := v.moved(); err != nil {
		return Scan{}, storageError("list the vault's notes", stratum.Path{}, err)
	}
	s := newWalk(ctx, v.fs)
	err := s.run(func(dir string, d Folder, entries []fs.DirEntry) { s.notes(dir, d, entries) })
	if ctx.Err() != nil {
		return Scan{}, ctx.Err()
	}
	if err != nil {
		return Scan{}, storageError("list the vault's notes", stratum.Path{}, err)
	}
	slices.SortFunc(s.entries, func(a, b Entry) int { return a.Path.Compare(b.Path) })
	slices.SortFunc(s.skipped, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	return Scan{Entries: s.entries, Skipped: s.skipped}, nil
}

// walk goes through the folders that may hold notes, several at a time.
type walk struct {
	ctx   context.Context
	fs    FS
	group errgroup.Group

	mu      sync.Mutex // guards the fields below
	entries []Entry
	skipped []Skip
}

func newWalk(ctx context.Context, fs FS) *walk {
	w := &walk{ctx: ctx, fs: fs}
	w.group.SetLimit(max(4, 2*runtime.GOMAXPROCS(0)))
	return w
}

// visitor is called with each folder ("" is the root) and those of its
// entries that are not folders.
type visitor func(dir string, d Folder, files []fs.DirEntry)

// run visits every folder. It returns an error only for the root.
func (w *walk) run(visit visitor) error {
	err := w.folder("", visit)
	_ = w.group.Wait() // its functions return no errors
	return err
}

// spawn runs f beside the caller, or in it when enough are running.
func (w *walk) spawn(f func()) {
	if !w.group.TryGo(func() error { f(); return nil }) {
		f()
	}
}

func (w *walk) folder(dir string, visit visitor) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	d, err := w.fs.OpenFolder(rootName(dir))
	if err != nil {
		return err
	}
	entries, err := d.List()
	if err != nil {
		d.Close()
		return err
	}

	files := entries[:0]
	for _, e := range entries {
		if !e.IsDir() {
			files = append(files, e)
			continue
		}
		if sub, ok := w.sub(dir, e.Name()); ok {
			w.spawn(func() {
				if err := w.folder(sub, visit); err != nil && !errors.Is(err, fs.ErrNotExist) && w.ctx.Err() == nil {
					w.skip(Skip{Path: sub, Folder: true, Reason: "the folder cannot be read", Err: err})
				}
			})
		}
	}
	visit(dir, d, files)
	return d.Close()
}

// sub returns the path of a folder's folder, and whether notes can be in it.
func (w *walk) sub(dir, name string) (string, bool) {
	if name[0] == '.' || dir == "" && name == stratum.TemplatesDir {
		return "", false
	}
	sub := join(dir, name)
	if _, err := stratum.ParsePath(sub + "/-"); err != nil {
		w.skip(Skip{Path: show(sub), Folder: true, Reason: "no path can name the folder"})
		return "", false
	}
	return sub, true
}

// notes adds the notes among a folder's files.
func (w *walk) notes(dir string, d Folder, files []fs.DirEntry) {
	files = slices.DeleteFunc(files, func(e fs.DirEntry) bool {
		return e.Name()[0] == '.' || !strings.HasSuffix(e.Name(), stratum.NoteExt)
	})
	// The folder stays open until its last chunk is done.
	var chunks sync.WaitGroup
	defer chunks.Wait()
	for part := range slices.Chunk(files, chunk) {
		chunks.Add(1)
		w.spawn(func() {
			defer chunks.Done()
			w.stamps(dir, d, part)
		})
	}
}

func (w *walk) stamps(dir string, d Folder, files []fs.DirEntry) {
	entries := make([]Entry, 0, len(files))
	for _, e := range files {
		if w.ctx.Err() != nil {
			return
		}
		name := join(dir, e.Name())
		p, err := stratum.ParsePath(name)
		if err != nil {
			w.skip(Skip{Path: show(name), Reason: "no path can name the file"})
			continue
		}
		if why := oddType(e.Type()); why != "" {
			w.skip(Skip{Path: name, Reason: why})
			continue
		}
		stamp, mode, err := d.Stamp(e)
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since the folder was read
		case err != nil:
			w.skip(Skip{Path: name, Reason: "the file cannot be looked at", Err: err})
		case oddType(mode) != "":
			w.skip(Skip{Path: name, Reason: oddType(mode)})
		default:
			entries = append(entries, Entry{p, stamp})
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.entries = append(w.entries, entries...)
}

func (w *walk) skip(s Skip) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.skipped = append(w.skipped, s)
}

// oddType says why a file of that type is no note; "" when it may be one.
func oddType(t fs.FileMode) string {
	switch {
	case t&fs.ModeSymlink != 0:
		return "it is a symbolic link"
	case !t.IsRegular():
		return "it is no regular file"
	default:
		return ""
	}
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// rootName returns the name that os.Root knows a folder by.
func rootName(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// show returns a path that ParsePath refuses, fit for a log.
func show(name string) string {
	return strings.Trim(strconv.Quote(name), `"`)
}

// String returns the skip as one line for a log.
func (s Skip) String() string {
	if s.Err == nil {
		return fmt.Sprintf("%s: %s", s.Path, s.Reason)
	}
	return fmt.Sprintf("%s: %s: %v", s.Path, s.Reason, s.Err)
}
