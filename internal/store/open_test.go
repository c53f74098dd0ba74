package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stratum"
)

func TestOpenAwkwardNames(t *testing.T) {
	for _, name := range []string{"plain", "with space", "100%", "what?", "a#b", "ünï&=;"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Skip(err) // a name that this system does not allow
		}
		file := filepath.Join(dir, "blocks.db")
		put(t, open(t, file), page(t, "a.md", "x"))
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenDamaged(t *testing.T) {
	garbage := dbPath(t)
	if err := os.WriteFile(garbage, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), garbage); !errors.Is(err, ErrCorrupt) {
		t.Errorf("garbage: %v, want %v", err, ErrCorrupt)
	}
	// Set aside while closed, it is made anew.
	if err := os.Rename(garbage, garbage+".damaged"); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, garbage), page(t, "a.md", "x"))
}

func TestCheckFindsDamage(t *testing.T) {
	file := dbPath(t)
	s, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Fill(t.Context(), vault(50), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("a whole database: %v", err)
	}
	if err := s.Close(); err != nil { // also moves the log into the file
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for page := 6; (page+1)*4096 <= len(b); page += 2 {
		copy(b[page*4096:], strings.Repeat("damage", 600))
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, err := Open(t.Context(), file)
	if err != nil {
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("Open: %v, want %v", err, ErrCorrupt)
		}
		return
	}
	defer damaged.Close()
	if err := damaged.Check(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Check: %v, want %v", err, ErrCorrupt)
	}
}

// The log is moved into the database and deleted, or a copy of the vault
// would lack what was written last.
func TestCloseLeavesOneFile(t *testing.T) {
	file := dbPath(t)
	s, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, page(t, "a.md", "x"))
	digests(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(entries) != 1 {
		t.Errorf("after Close there are %v, %v", entries, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

func TestReplaced(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", "x"))
	if s.Replaced() {
		t.Error("replaced before anything happened")
	}
	if err := os.Rename(file, file+".aside"); err != nil {
		t.Skip(err) // an open file cannot be renamed on this system
	}
	if !s.Replaced() {
		t.Error("set aside and not noticed")
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !s.Replaced() {
		t.Error("replaced and not noticed")
	}
}

func TestOpenWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no", "blocks.db")
	_, err := Open(t.Context(), file)
	if !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v, want %v", err, ErrReadOnly)
	}
	if err != nil && strings.Contains(err.Error(), filepath.Dir(file)) {
		t.Errorf("the error holds an absolute path: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root writes where it may not; opening for reading is tried directly")
	}
	for name, leaveLog := range map[string]bool{"log beside it": true, "no log": false} {
		t.Run(name, func(t *testing.T) {
			file := dbPath(t)
			w, err := Open(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			p := page(t, "a.md", "x")
			put(t, w, p)
			if leaveLog {
				defer w.Close()
			} else if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			s := &Store{writing: make(chan struct{}, 1), readOnly: true}
			if err := s.openReadOnly(t.Context(), file); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := ids(t, s, p); len(got) != 1 {
				t.Errorf("ids are %v", got)
			}
			if digests(t, s)["a.md"] != DigestOf(p) {
				t.Error("digests differ")
			}
			if _, err := s.Put(t.Context(), p); !errors.Is(err, ErrReadOnly) {
				t.Errorf("Put: %v, want %v", err, ErrReadOnly)
			}
			if _, err := s.Fill(t.Context(), vault(1), nil); !errors.Is(err, ErrReadOnly) {
				t.Errorf("Fill: %v, want %v", err, ErrReadOnly)
			}
			if err := s.Delete(t.Context(), p.Path); !errors.Is(err, ErrReadOnly) {
				t.Errorf("Delete: %v, want %v", err, ErrReadOnly)
			}
			if changed, err := s.Changed(t.Context()); !changed || err != nil {
				t.Errorf("Changed = %v, %v", changed, err)
			}
		})
	}
}

func TestUnwritableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes where it may not")
	}
	file := dbPath(t)
	w, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, w, page(t, "a.md", "x"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{file: 0o400, filepath.Dir(file): 0o500} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Dir(file), 0o700) })
	s := open(t, file)
	if pages, _, err := s.Counts(t.Context()); !s.ReadOnly() || pages != 1 || err != nil {
		t.Errorf("read-only %v, %d pages, %v", s.ReadOnly(), pages, err)
	}
}

func TestBusyIsVaultLocked(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	if _, err := s.writer.ExecContext(t.Context(), `PRAGMA busy_timeout = 20`); err != nil {
		t.Fatal(err)
	}
	a := openApp(t, file)
	a.SetMaxOpenConns(1)
	a.exec(`BEGIN IMMEDIATE`)
	_, err := s.Put(t.Context(), page(t, "a.md", "x"))
	e := stratum.AsError(err)
	if e.Kind != stratum.VaultLocked || e.RetryAfter != time.Second {
		t.Errorf("got %v (%v), want VaultLocked", err, e.Kind)
	}
	// Reading goes on beside a writer.
	if got := ids(t, s, page(t, "a.md", "x")); len(got) != 1 {
		t.Errorf("ids are %v", got)
	}
	a.exec(`ROLLBACK`)
	put(t, s, page(t, "a.md", "x"))
}

func TestWaitingForAWriterEndsWithTheContext(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	a := openApp(t, file)
	a.SetMaxOpenConns(1)
	a.exec(`BEGIN IMMEDIATE`)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := s.Put(ctx, page(t, "a.md", "x"))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 3*time.Second {
		t.Errorf("Put = %v after %v", err, time.Since(began))
	}
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(ctx, page(t, "a.md", "x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Put beside a writer of its own = %v", err)
	}
	unlock()
	a.exec(`ROLLBACK`)
	put(t, s, page(t, "a.md", "x"))
}
