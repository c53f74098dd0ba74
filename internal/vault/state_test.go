package vault_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"stratum/internal/vaulttest"
)

// put is a fill that writes text.
func put(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func stateNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(at(dir, ".pkm/mcp"))
	do(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestState(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	s := v.State()
	if _, err := s.Read("index"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of nothing: %v, want %v", err, fs.ErrNotExist)
	}
	for _, text := range []string{"first", "", strings.Repeat("much ", 100_000)} {
		do(t, s.Write("index", put(text)))
		got, err := s.Read("index")
		if err != nil || string(got) != text {
			t.Errorf("Read = %d bytes, %v, want %d", len(got), err, len(text))
		}
		f, size, err := s.Open("index")
		do(t, err)
		got, err = io.ReadAll(f)
		do(t, errors.Join(err, f.Close()))
		if string(got) != text || size != int64(len(text)) {
			t.Errorf("Open gives %d bytes and says %d, want %d", len(got), size, len(text))
		}
	}
	info, err := os.Stat(at(dir, ".pkm/mcp/index"))
	do(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	for range 2 {
		do(t, s.Remove("index"))
	}
	if got := stateNames(t, dir); !slices.Equal(got, []string{".gitignore"}) {
		t.Errorf(".pkm/mcp holds %q", got)
	}
}

// TestStateMadeAgain survives a user who clears the folder away.
func TestStateMadeAgain(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	do(t, os.RemoveAll(at(dir, ".pkm/mcp")))
	do(t, v.State().Write("index", put("x")))
	if got := stateNames(t, dir); !slices.Equal(got, []string{".gitignore", "index"}) {
		t.Errorf(".pkm/mcp holds %q", got)
	}
}

func TestStateNames(t *testing.T) {
	v, _ := open(t, vaulttest.New(t, ""))
	s := v.State()
	for _, name := range []string{
		"", ".", "..", "lock", ".gitignore", "../blocks.db", "a/b", `a\b`, "A", "a b", "a\x00", "é", strings.Repeat("x", 101),
	} {
		_, rerr := s.Read(name)
		_, aerr := s.SetAside(name)
		for _, err := range []error{rerr, aerr, s.Write(name, put("x")), s.Remove(name)} {
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%q: %v, want a refusal", name, err)
			}
		}
	}
}

// TestStateWriteWhole leaves the old file whole whatever fails.
func TestStateWriteWhole(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, faults := open(t, dir)
	s := v.State()
	do(t, s.Write("index", put("old")))

	own := errors.New("own")
	err := s.Write("index", func(w io.Writer) error {
		return errors.Join(put("half")(w), own)
	})
	if !errors.Is(err, own) {
		t.Errorf("Write = %v, want fill's error", err)
	}
	for n := 1; ; n++ {
		faults.Nth(n, syscall.ENOSPC)
		err := s.Write("index", put("new"))
		reached := faults.Count() >= n
		faults.Set(nil)
		got, rerr := s.Read("index")
		do(t, rerr)
		if err != nil && strings.Contains(err.Error(), dir) {
			t.Errorf("the error holds the vault's path: %v", err)
		}
		if want := []byte("new"); !bytes.Equal(got, []byte("old")) && !bytes.Equal(got, want) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("operation %d fails: %q stands, error %v", n, got, err)
		}
		if names := stateNames(t, dir); !slices.Equal(names, []string{".gitignore", "index"}) {
			t.Errorf("operation %d fails: .pkm/mcp holds %q", n, names)
		}
		if !reached {
			break
		}
		do(t, s.Write("index", put("old")))
	}
}

func TestSetAside(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	s := v.State()
	if _, err := s.SetAside("index"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SetAside of nothing: %v, want %v", err, fs.ErrNotExist)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	v.SetClock(func() time.Time { now = now.Add(time.Second); return now })
	do(t, s.Write("index.tags", put("another name")))
	var aside []string
	for range 5 {
		do(t, s.Write("index", put("damaged")))
		name, err := s.SetAside("index")
		do(t, err)
		if !strings.HasPrefix(name, "index.damaged-2026") {
			t.Errorf("set aside as %q", name)
		}
		aside = append(aside, name)
	}
	want := append([]string{".gitignore"}, append(aside[2:], "index.tags")...)
	if got := stateNames(t, dir); !slices.Equal(got, want) {
		t.Errorf(".pkm/mcp holds %q, want the latest three: %q", got, want)
	}
	if got, err := s.Read(aside[4]); err != nil || string(got) != "damaged" {
		t.Errorf("the file set aside holds %q, %v", got, err)
	}
}

func TestSweepTemp(t *testing.T) {
	dir := vaulttest.New(t, `
-- a.md --
-- .stratum-aaaa.tmp --
-- in/deep/.stratum-bbbb.tmp --
-- in/.stratum-notes.md --
-- in/stratum-x.tmp --
-- .git/.stratum-cccc.tmp --
-- .pkm/mcp/.stratum-fresh.tmp --
-- .pkm/mcp/.stratum-stale.tmp --
-- .pkm/.stratum-foreign.tmp --
`)
	stale := time.Now().Add(-2 * time.Hour)
	do(t, os.Chtimes(at(dir, ".pkm/mcp/.stratum-stale.tmp"), stale, stale))
	v, faults := open(t, dir)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "remove" && op.Path == ".stratum-aaaa.tmp" {
			return syscall.EACCES
		}
		return nil
	})
	if err := v.SweepTemp(t.Context()); !errors.Is(err, syscall.EACCES) {
		t.Errorf("SweepTemp = %v, want what failed", err)
	}
	faults.Set(nil)
	do(t, v.SweepTemp(t.Context()))
	wantTree(t, dir, ".git/", ".git/.stratum-cccc.tmp", "a.md", "in/", "in/.stratum-notes.md", "in/deep/", "in/stratum-x.tmp")
	if got := stateNames(t, dir); !slices.Equal(got, []string{".gitignore", ".stratum-fresh.tmp"}) {
		t.Errorf(".pkm/mcp holds %q, want the fresh one alone kept", got)
	}
	if got := vaulttest.Read(t, dir, ".pkm/.stratum-foreign.tmp"); got != "" {
		t.Errorf("a file of .pkm was touched: %q", got)
	}
}
