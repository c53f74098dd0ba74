package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// vocabulary is what to ask of a vault: words from all over it, and its notes.
type vocabulary struct {
	notes int
	words []string
	paths []string // vault-relative
}

// query returns the i-th word, the same for the same vault.
func (v *vocabulary) query(i int) string { return v.words[i%len(v.words)] }

// path returns the i-th note's path.
func (v *vocabulary) path(i int) string { return v.paths[i*7%len(v.paths)] }

// unpack writes the archive's one folder below dir, makes a vault of it, and
// returns its path and vocabulary.
func unpack(archive, dir string) (string, *vocabulary, error) {
	f, err := os.Open(archive)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return "", nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", nil, err
	}
	defer root.Close()

	v := &vocabulary{}
	seen := map[string]bool{}
	top := ""
	for r := tar.NewReader(zip); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(r)
		if err != nil {
			return "", nil, err
		}
		name := filepath.FromSlash(h.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", nil, err
		}
		if err := root.WriteFile(name, body, 0o644); err != nil {
			return "", nil, err
		}
		first, rest, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		top = first
		if strings.HasSuffix(rest, ".md") {
			v.notes++
			v.paths = append(v.paths, rest)
			if v.notes%11 == 1 {
				v.learn(string(body), seen)
			}
		}
	}
	slices.Sort(v.paths)
	slices.Sort(v.words)
	// Sorted words start alike; every 97th is a fair walk through them.
	spread := make([]string, 0, len(v.words))
	for i := range v.words {
		spread = append(spread, v.words[i*97%len(v.words)])
	}
	v.words = spread
	return filepath.Join(dir, top), v, root.MkdirAll(filepath.Join(top, ".pkm"), 0o755)
}

// learn takes words of three letters or more from a note, up to 2,000 in all.
func (v *vocabulary) learn(text string, seen map[string]bool) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		w = strings.ToLower(w)
		if len(w) >= 3 && len(w) <= 40 && !seen[w] && len(v.words) < 2000 {
			seen[w] = true
			v.words = append(v.words, w)
		}
	}
}
