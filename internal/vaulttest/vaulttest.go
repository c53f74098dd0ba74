// Package vaulttest makes vaults for tests: from a txtar text, from a corpus
// archive, and on a file system that fails on demand. Only tests import it.
package vaulttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// New makes a vault in a temporary folder from the text of a txtar archive
// and returns its folder. Names in the archive are relative to the vault;
// one that ends in "/" makes an empty folder. A final newline is part of every
// file, as txtar has it; use [Write] for bytes that txtar cannot hold.
func New(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	Mkdir(t, dir, ".pkm")
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if strings.HasSuffix(f.Name, "/") {
			Mkdir(t, dir, f.Name)
			continue
		}
		Write(t, dir, f.Name, string(f.Data))
	}
	return dir
}

// Write stores content in the file at name below dir, making its folders.
func Write(t testing.TB, dir, name, content string) {
	t.Helper()
	file := local(t, dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatalf("make the folder of %s: %v", name, err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}

// Read returns the content of the file at name below dir.
func Read(t testing.TB, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(local(t, dir, name))
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return string(b)
}

// Mkdir makes the folder at name below dir, and those above it.
func Mkdir(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.MkdirAll(local(t, dir, strings.TrimSuffix(name, "/")), 0o755); err != nil {
		t.Fatalf("make the folder %s: %v", name, err)
	}
}

func local(t testing.TB, dir, name string) string {
	t.Helper()
	rel := filepath.FromSlash(name)
	if !filepath.IsLocal(rel) {
		t.Fatalf("%q is no name inside a vault", name)
	}
	return filepath.Join(dir, rel)
}
