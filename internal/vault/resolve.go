package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"stratum"
)

// linksMax is how many symbolic links a path may lead through.
const linksMax = 40

var (
	errNotFolder = errors.New("a file stands where a folder should be")
	errOutside   = errors.New("a symbolic link leads out of the notes")
	errLoop      = errors.New("symbolic links lead in a circle")
)

// follow walks to the file at name through symbolic links that stay inside
// the vault, absolute ones too, and returns its name without links. A link
// into a hidden folder leads out of the notes: nothing of .pkm is read as a
// note, and blocks.db is never opened here (decisions 5.2 and 8.8).
func (v *Vault) follow(name string) (string, fs.FileInfo, error) {
	var (
		done  []string // components walked, none a symbolic link
		todo  = strings.Split(name, "/")
		links int
		info  fs.FileInfo
	)
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		switch {
		case c == "" || c == ".":
			continue
		case c == "..":
			if len(done) == 0 {
				return "", nil, errOutside
			}
			done = done[:len(done)-1]
			continue
		case c[0] == '.':
			return "", nil, errOutside
		case isForeign(c):
			return "", nil, fs.ErrNotExist
		}

		here := strings.Join(append(done, c), "/")
		var err error
		if info, err = v.fs.Lstat(here); err != nil {
			return "", nil, err
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > linksMax {
				return "", nil, errLoop
			}
			target, err := v.fs.Readlink(here)
			if err != nil {
				return "", nil, err
			}
			if filepath.IsAbs(target) {
				if target, err = v.inside(target); err != nil {
					return "", nil, err
				}
				done = done[:0]
			}
			todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
		case len(todo) > 0 && !info.IsDir():
			return "", nil, errNotFolder
		default:
			done = append(done, c)
		}
	}
	if info == nil || len(done) == 0 {
		return "", nil, errOutside
	}
	return strings.Join(done, "/"), info, nil
}

// inside returns an absolute link target relative to the vault's root.
func (v *Vault) inside(target string) (string, error) {
	for _, root := range []string{v.dir, v.real} {
		rel, err := filepath.Rel(root, target)
		if err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", errOutside
}

// place is where a note is to be written or removed.
type place struct {
	path    stratum.Path
	missing []string    // folders to make, outermost first
	old     fs.FileInfo // the note's file; nil where there is none
}

// Writable returns the InvalidArgs error with which a write or delete of the
// note at p would be refused whatever it holds: a symbolic link, a folder or a
// special file in the way (decision 5.3). A template is no note and is left to
// the call that follows.
func (v *Vault) Writable(p stratum.Path) error {
	if p.IsTemplate() {
		return nil
	}
	_, err := v.locate(p, "look at the note")
	return err
}

// locate walks to the note at p without following symbolic links, and refuses
// with InvalidArgs what decision 5.3 does not let a write or delete touch.
// doing is for storage errors.
func (v *Vault) locate(p stratum.Path, doing string) (place, error) {
	at := place{path: p}
	if p.IsTemplate() {
		return at, refuse(p, "Files under "+stratum.TemplatesDir+"/ are templates, not notes.", "Choose another folder.")
	}
	components := strings.Split(p.String(), "/")
	for i, c := range components {
		if isForeign(c) {
			return at, refuse(p, fmt.Sprintf("The vault's system does not allow the name %q.", c),
				`Leave out the characters < > : " | ? * and dots or spaces at the end of a name.`)
		}
		name := strings.Join(components[:i+1], "/")
		last := i == len(components)-1
		if len(at.missing) > 0 {
			if !last {
				at.missing = append(at.missing, name)
			}
			continue
		}
		info, err := v.fs.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !last:
			at.missing = append(at.missing, name)
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return at, storageError(doing, p, err)
		case info.Mode()&fs.ModeSymlink != 0:
			return at, refuse(p, name+" is a symbolic link; the server writes and deletes only real files.",
				"Use the path of the note that the link leads to.")
		case !last && !info.IsDir():
			return at, refuse(p, name+" is a file, so it cannot hold notes.", "Choose a path in another folder.")
		case last && info.IsDir():
			return at, refuse(p, name+" is a folder, not a note.", "Choose the path of a note.")
		case last && !info.Mode().IsRegular():
			return at, refuse(p, name+" is a special file, not a note.", "Choose the path of a note.")
		case last:
			at.old = info
		}
	}
	return at, nil
}
