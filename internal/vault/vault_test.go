package vault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

func TestOpen(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, err := vault.Open(dir)
	do(t, err)
	defer v.Close()
	if v.Dir() != dir {
		t.Errorf("Dir = %q, want %q", v.Dir(), dir)
	}
	if got := vaulttest.Read(t, dir, ".pkm/mcp/.gitignore"); got != "*\n" {
		t.Errorf(".gitignore = %q, want one that ignores everything", got)
	}
	info, err := os.Stat(at(dir, ".pkm/mcp"))
	do(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf(".pkm/mcp has mode %v, want 0700", info.Mode())
	}
}

func TestOpenRelative(t *testing.T) {
	dir := vaulttest.New(t, "")
	t.Chdir(filepath.Dir(dir))
	v, err := vault.Open(filepath.Base(dir))
	do(t, err)
	defer v.Close()
	if !filepath.IsAbs(v.Dir()) {
		t.Errorf("Dir = %q, want an absolute path", v.Dir())
	}
}

func TestOpenSymlinkedRoot(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	v, err := vault.Open(link)
	do(t, err)
	defer v.Close()
	if v.Dir() != link {
		t.Errorf("Dir = %q, want it as given, %q", v.Dir(), link)
	}
	s, err := v.Scan(t.Context())
	if err != nil || len(s.Entries) != 1 {
		t.Errorf("Scan = %v, %v, want the one note", s, err)
	}
}

// TestOpenRefuses wants one line that says what is wrong.
func TestOpenRefuses(t *testing.T) {
	plain := t.TempDir()
	file := filepath.Join(plain, "file")
	do(t, os.WriteFile(file, nil, 0o644))
	pkmFile := t.TempDir()
	do(t, os.WriteFile(filepath.Join(pkmFile, ".pkm"), nil, 0o644))
	for dir, want := range map[string]string{
		"":                              "no vault given",
		plain:                           "stratum-mcp init",
		file:                            "is no folder",
		filepath.Join(plain, "missing"): "there is no folder",
		pkmFile:                         "stratum-mcp init",
	} {
		v, err := vault.Open(dir)
		if err == nil {
			v.Close()
			t.Errorf("Open(%q) gives no error", dir)
			continue
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Open(%q): %q, want one line with %q", dir, err, want)
		}
	}
}

// TestOpenReadOnly reads where nothing can be written.
func TestOpenReadOnly(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	faults := new(vaulttest.Faults)
	faults.Set(func(op vaulttest.Op) error {
		switch op.Name {
		case "create", "mkdir", "rename", "link", "remove", "settime":
			return syscall.EROFS
		}
		return nil
	})
	v, err := vault.OpenFS(dir, faults.Wrap)
	do(t, err)
	defer v.Close()
	if f, err := v.Read(path(t, "a")); err != nil || f.Content != "a\n" {
		t.Errorf("Read = %q, %v", f.Content, err)
	}
	if s, err := v.Scan(t.Context()); err != nil || len(s.Entries) != 1 {
		t.Errorf("Scan = %v, %v", s, err)
	}
	if err := v.State().Write("x", nil); !errors.Is(err, syscall.EROFS) {
		t.Errorf("State.Write: %v, want it to say that the file system is read-only", err)
	}
	if _, err := os.Stat(at(dir, ".pkm/mcp")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was made: %v", err)
	}
}

func TestInit(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		do(t, vault.Init(dir))
	}
	v, err := vault.Open(dir)
	do(t, err)
	defer v.Close()
	entries, err := os.ReadDir(at(dir, ".pkm"))
	do(t, err)
	if len(entries) != 1 || entries[0].Name() != "mcp" {
		t.Errorf(".pkm holds %v, want only mcp", entries)
	}
}

func TestInitRefuses(t *testing.T) {
	dir := t.TempDir()
	do(t, os.WriteFile(filepath.Join(dir, ".pkm"), nil, 0o644))
	for _, bad := range []string{dir, filepath.Join(dir, ".pkm"), filepath.Join(dir, "missing")} {
		if err := vault.Init(bad); err == nil {
			t.Errorf("Init(%q) gives no error", bad)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); err == nil {
		t.Error("Init made the folder itself")
	}
}

// TestMoved notices that the folder's name now stands for another folder.
func TestMoved(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, _ := open(t, dir)
	do(t, os.Rename(dir, dir+"-moved"))
	do(t, os.Mkdir(dir, 0o755))
	if _, err := v.Scan(t.Context()); err == nil {
		t.Error("Scan gives no error")
	}
	if unlock, err := v.Lock(t.Context()); err == nil {
		unlock()
		t.Error("Lock gives no error")
	}
}
