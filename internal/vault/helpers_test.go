package vault_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stratum"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

// open opens the vault at dir with faults that are still off.
func open(t testing.TB, dir string) (*vault.Vault, *vaulttest.Faults) {
	t.Helper()
	faults := new(vaulttest.Faults)
	v, err := vault.OpenFS(dir, faults.Wrap)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v, faults
}

// path is a note's path that must parse.
func path(t testing.TB, s string) stratum.Path {
	t.Helper()
	p, err := stratum.ParsePath(s)
	if err != nil {
		t.Fatalf("path %q: %v", s, err)
	}
	return p
}

// at returns the file of name below dir.
func at(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantKind checks an error's kind and that neither message, hint nor cause
// holds the vault's absolute path.
func wantKind(t testing.TB, err error, kind stratum.Kind, dir string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %v", kind)
		return
	}
	e := stratum.AsError(err)
	if e.Kind != kind {
		t.Errorf("error = %v (%v), want %v", e.Kind, err, kind)
	}
	if e.Message == "" || e.Hint == "" {
		t.Errorf("message %q and hint %q: both are needed", e.Message, e.Hint)
	}
	if strings.Contains(e.Error()+e.Hint, dir) {
		t.Errorf("the error holds the vault's path: %v", e)
	}
}

// tree returns every file and folder below dir, .pkm left out; a folder ends
// in "/".
func tree(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	do(t, filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == dir {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if name == ".pkm" {
				return filepath.SkipDir
			}
			name += "/"
		}
		names = append(names, name)
		return nil
	}))
	return names
}

func wantTree(t testing.TB, dir string, want ...string) {
	t.Helper()
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("the vault holds %q, want %q", got, want)
	}
}

// replace writes a note and commits.
func replace(t testing.TB, v *vault.Vault, name, content string) stratum.Stamp {
	t.Helper()
	c, err := v.Replace(path(t, name), content)
	do(t, err)
	do(t, c.Commit())
	return c.Stamp
}

func symlink(t testing.TB, dir, to, name string) {
	t.Helper()
	if err := os.Symlink(to, at(dir, name)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}
