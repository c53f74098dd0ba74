package vaulttest

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// corporaEnv names the environment variable that says where the corpus
// archives are.
const corporaEnv = "STRATUM_CORPORA"

// Corpus unpacks the corpus archive of that name (without ".tar.gz") into a
// temporary folder, makes a vault of it and returns its folder. The archives
// are looked for in the folder that STRATUM_CORPORA names, else in
// ../shared/corpora beside the repository. The test is skipped where there is
// no such archive.
func Corpus(t testing.TB, name string) string {
	t.Helper()
	from := corpora(t)
	f, err := os.Open(filepath.Join(from, name+".tar.gz"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no corpus archive %s.tar.gz; set %s to the folder of the archives", name, corporaEnv)
	}
	if err != nil {
		t.Fatalf("open corpus %s: %v", name, err)
	}
	defer f.Close()

	into := t.TempDir()
	if err := unpack(f, into); err != nil {
		t.Fatalf("unpack corpus %s: %v", name, err)
	}
	dir := filepath.Join(into, name)
	Mkdir(t, dir, ".pkm")
	return dir
}

// corpora returns the folder of the archives: the environment's, else the one
// beside the repository, whose root is the nearest folder with a go.mod.
func corpora(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv(corporaEnv); dir != "" {
		return dir
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatalf("find the repository: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(root, "..", "shared", "corpora")
		}
		above := filepath.Dir(root)
		if above == root {
			t.Skipf("not inside the repository; set %s to the folder of the corpus archives", corporaEnv)
		}
		root = above
	}
}

// unpack writes the regular files of a gzipped tar below dir. os.Root keeps
// every name inside.
func unpack(r io.Reader, dir string) error {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()

	for files := tar.NewReader(zip); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(head.Name)
		switch head.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(filepath.Clean(name), 0o755)
		case tar.TypeReg:
			err = unpackFile(root, name, files)
		}
		if err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, name string, r io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
