package vault_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"stratum"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

func scan(t testing.TB, v *vault.Vault) (notes, skipped []string) {
	t.Helper()
	s, err := v.Scan(t.Context())
	do(t, err)
	for _, e := range s.Entries {
		notes = append(notes, e.Path.String())
	}
	for _, k := range s.Skipped {
		skipped = append(skipped, k.String())
	}
	return notes, skipped
}

func TestScan(t *testing.T) {
	dir := vaulttest.New(t, `
-- b.md --
-- a.md --
-- B.md --
-- a/z.md --
-- a-b.md --
-- a/deep/er/x.md --
-- a..b.md --
-- é.md --
-- 笔记/📚.md --
-- journals/2026-01-01.md --
-- x/templates/yes.md --
-- folder.md/in.md --
-- empty/ --
-- templates/t.md --
-- templates/deep/t.md --
-- .hidden.md --
-- .obsidian/x.md --
-- a/.trash/x.md --
-- .pkm/x.md --
-- upper.MD --
-- text.markdown --
-- image.png --
-- a/.stratum-0123.tmp --
`)
	vaulttest.Write(t, dir, "e\u0301.md", "decomposed")
	v, _ := open(t, dir)
	notes, skipped := scan(t, v)
	want := []string{
		"B.md", "a-b.md", "a..b.md", "a.md", "a/deep/er/x.md", "a/z.md", "b.md", "e\u0301.md", "folder.md/in.md",
		"journals/2026-01-01.md", "x/templates/yes.md", "é.md", "笔记/📚.md",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q,\nwant  %q", notes, want)
	}
	if len(skipped) != 0 {
		t.Errorf("skipped %q, want nothing that anyone would miss", skipped)
	}

	s, err := v.Scan(t.Context())
	do(t, err)
	for _, e := range s.Entries {
		stamp, err := v.Stat(e.Path)
		if err != nil || stamp != e.Stamp {
			t.Errorf("%s: scanned %+v, Stat says %+v, %v", e.Path, e.Stamp, stamp, err)
		}
		if found, err := v.Find(e.Path); err != nil || found != e {
			t.Errorf("%s: scanned %+v, Find says %+v, %v", e.Path, e, found, err)
		}
	}
}

func TestScanSkips(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n-- real/b.md --\nb\n")
	bad := []string{"back\\slash.md", "new\nline.md", "invalid\xff.md", "bell\a/x.md"}
	for _, name := range bad {
		file := dir + "/" + name
		if i := strings.LastIndex(name, "/"); i >= 0 {
			do(t, os.Mkdir(dir+"/"+name[:i], 0o755))
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Skipf("this system has no such names: %v", err)
		}
	}
	symlink(t, dir, "a.md", "link.md")
	symlink(t, dir, "nowhere.md", "dangling.md")
	symlink(t, dir, "real", "linked-folder")
	symlink(t, dir, ".", "again")
	v, _ := open(t, dir)
	notes, skipped := scan(t, v)
	if want := []string{"a.md", "real/b.md"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	want := []string{
		`back\\slash.md: no path can name the file`,
		`bell\a: no path can name the folder`,
		`dangling.md: it is a symbolic link`,
		`invalid\xff.md: no path can name the file`,
		`link.md: it is a symbolic link`,
		`new\nline.md: no path can name the file`,
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q,\nwant %q", skipped, want)
	}
}

// TestScanUnreadable goes on past what cannot be read, and tells folders
// whose notes are unknown from notes that are gone.
func TestScanUnreadable(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n-- closed/b.md --\nb\n-- broken/c.md --\nc\n-- open/d.md --\nd\n-- open/e.md --\ne\n")
	v, faults := open(t, dir)
	faults.Set(func(op vaulttest.Op) error {
		switch {
		case op.Name == "open" && op.Path == "closed":
			return syscall.EACCES
		case op.Name == "list" && op.Path == "broken", op.Name == "stamp" && op.Path == "open/d.md":
			return syscall.EIO
		case op.Name == "stamp" && op.Path == "open/e.md":
			return syscall.ENOENT // gone since the folder was read
		}
		return nil
	})
	s, err := v.Scan(t.Context())
	do(t, err)
	if len(s.Entries) != 1 || s.Entries[0].Path.String() != "a.md" {
		t.Errorf("notes %v, want a.md", s.Entries)
	}
	var got []string
	for _, k := range s.Skipped {
		got = append(got, fmt.Sprint(k.Path, " ", k.Folder, " ", errors.Is(k.Err, syscall.EACCES) || errors.Is(k.Err, syscall.EIO)))
	}
	if want := []string{"broken true true", "closed true true", "open/d.md false true"}; !slices.Equal(got, want) {
		t.Errorf("skipped %q, want %q", got, want)
	}
}

// TestScanRootUnreadable is an error, or every note would seem deleted.
func TestScanRootUnreadable(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	for _, step := range []string{"open", "list"} {
		faults.Set(func(op vaulttest.Op) error {
			if op.Name == step {
				return syscall.EIO
			}
			return nil
		})
		_, err := v.Scan(t.Context())
		wantKind(t, err, stratum.External, dir)
	}
}

func TestScanCancelled(t *testing.T) {
	dir := vaulttest.New(t, "-- a/a.md --\na\n-- b/b.md --\nb\n")
	v, faults := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "list" {
			cancel()
		}
		return nil
	})
	if s, err := v.Scan(ctx); !errors.Is(err, context.Canceled) || len(s.Entries) != 0 {
		t.Errorf("Scan = %v, %v, want %v", s, err, context.Canceled)
	}
}

// TestScanLargeAndDeep crosses the chunk's and the pool's limits.
func TestScanLargeAndDeep(t *testing.T) {
	dir := vaulttest.New(t, "")
	want := 0
	for i := range 1500 {
		vaulttest.Write(t, dir, fmt.Sprintf("flat/%04d.md", i), "")
		want++
	}
	for i := range 60 {
		vaulttest.Write(t, dir, strings.Repeat("d/", i+1)+"x.md", "")
		want++
	}
	v, _ := open(t, dir)
	notes, _ := scan(t, v)
	if len(notes) != want || !slices.IsSorted(notes) {
		t.Errorf("%d notes (sorted %v), want %d sorted", len(notes), slices.IsSorted(notes), want)
	}
}

func TestScanCorpus(t *testing.T) {
	for name, want := range map[string]int{"knowledge-garden": 3176, "dendron-site": 1016 /* one more is hidden */} {
		t.Run(name, func(t *testing.T) {
			v, _ := open(t, vaulttest.Corpus(t, name))
			s, err := v.Scan(t.Context())
			do(t, err)
			if len(s.Entries) != want || len(s.Skipped) != 0 {
				t.Errorf("%d notes, %v skipped, want %d and none", len(s.Entries), s.Skipped, want)
			}
			for _, e := range s.Entries {
				if f, err := v.Read(e.Path); err != nil || f.Stamp != e.Stamp {
					t.Errorf("%s: read with %+v, %v; scanned with %+v", e.Path, f.Stamp, err, e.Stamp)
				}
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	dir := vaulttest.New(b, "")
	for i := range 10_000 {
		vaulttest.Write(b, dir, fmt.Sprintf("%02d/note %05d.md", i%50, i), "x")
	}
	v, err := vault.Open(dir)
	do(b, err)
	defer v.Close()
	for b.Loop() {
		_, err := v.Scan(b.Context())
		do(b, err)
	}
}
