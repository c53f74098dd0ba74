package vault_test

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"stratum"
	"stratum/internal/vaulttest"
)

// TestReadBytes gives every file's exact bytes under its exact name.
func TestReadBytes(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	for name, content := range map[string]string{
		"empty.md":            "",
		"crlf.md":             "\ufeffa\r\nb\r\n",
		"invalid.md":          "caf\xe9\xff\n",
		"nul.md":              "a\x00b",
		"big.md":              strings.Repeat("0123456789", 100_000),
		"a..b.md":             "dots",
		"v1.2.final.md":       "more dots",
		"with spaces/x y.md":  "spaces",
		"emoji 🦉/📚.md":        "emoji",
		"笔记/知识.md":            "CJK",
		"e\u0301.md":          "decomposed",
		"folder.md/x.md":      "a folder that is called like a note",
		"deep/templates/t.md": "only the top-level templates are no notes",
	} {
		vaulttest.Write(t, dir, name, content)
		f, err := v.Read(path(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Content != content {
			t.Errorf("%s: got %d bytes, want %d, or other ones", name, len(f.Content), len(content))
		}
		if want := stratum.HashOf([]byte(content)); f.Hash != want {
			t.Errorf("%s: hash %x, want %x", name, f.Hash, want)
		}
		if st, err := v.Stat(path(t, name)); err != nil || st != f.Stamp || st.Size != int64(len(content)) {
			t.Errorf("%s: Stat = %+v, %v; Read says %+v", name, st, err, f.Stamp)
		}
	}
}

func TestReadStamp(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, _ := open(t, dir)
	want := time.Date(2026, 9, 19, 8, 0, 0, 123456789, time.UTC)
	do(t, os.Chtimes(at(dir, "a.md"), want, want))
	f, err := v.Read(path(t, "a"))
	do(t, err)
	if !f.Stamp.Time().Equal(want) {
		t.Errorf("modified %v, want %v", f.Stamp.Time(), want)
	}
}

func TestReadNotFound(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n-- templates/t.md --\nt\n-- folder.md/x.md --\nx\n")
	v, _ := open(t, dir)
	long := strings.Repeat("x", 252) + ".md"
	for _, name := range []string{
		"missing", "missing/too", "a.md/below", "templates/t", "folder.md", long,
		strings.Repeat("d/", 1000) + "x",
	} {
		_, err := v.Read(path(t, name))
		wantKind(t, err, stratum.NotFound, dir)
		if e := stratum.AsError(err); e.Path != path(t, name).String() {
			t.Errorf("%s: note_path = %q", name, e.Path)
		}
		_, err = v.Stat(path(t, name))
		wantKind(t, err, stratum.NotFound, dir)
		_, err = v.Find(path(t, name))
		wantKind(t, err, stratum.NotFound, dir)
	}
	if _, err := v.Read(path(t, "templates/t")); !strings.Contains(stratum.AsError(err).Hint, "templates") {
		t.Errorf("the hint does not tell about templates: %v", err)
	}
}

func TestReadSymlinks(t *testing.T) {
	outside := t.TempDir()
	vaulttest.Write(t, outside, "secret.md", "secret")
	dir := vaulttest.New(t, `
-- real.md --
real
-- in/deep.md --
deep
-- .git/config.md --
hidden
-- .pkm/blocks.db --
db
-- assets/data.txt --
data
`)
	v, _ := open(t, dir)
	for name, to := range map[string]string{
		"inside.md":      "real.md",
		"in/up.md":       "../real.md",
		"in/around.md":   "../in/./deep.md",
		"chain.md":       "inside.md",
		"absolute.md":    at(dir, "in/deep.md"),
		"folder":         "in",
		"text.md":        "assets/data.txt",
		"outside.md":     at(outside, "secret.md"),
		"relative.md":    "../" + "../../etc/hostname",
		"escape":         outside,
		"dangling.md":    "nothing.md",
		"loop.md":        "pool.md",
		"pool.md":        "loop.md",
		"self.md":        "self.md",
		"hidden.md":      ".git/config.md",
		"hiddenfolder":   ".git",
		"database.md":    ".pkm/blocks.db",
		"absdatabase.md": at(dir, ".pkm/blocks.db"),
		"root.md":        ".",
		"tofolder.md":    "in",
		"through.md":     "real.md/x.md",
	} {
		symlink(t, dir, to, name)
	}
	for name, want := range map[string]string{
		"inside": "real\n", "in/up": "real\n", "in/around": "deep\n", "chain": "real\n", "absolute": "deep\n",
		"folder/deep": "deep\n", "folder/up": "real\n", "text": "data\n",
	} {
		f, err := v.Read(path(t, name))
		if err != nil || f.Content != want {
			t.Errorf("%s = %q, %v, want %q", name, f.Content, err, want)
		}
		_, err = v.Find(path(t, name))
		wantKind(t, err, stratum.NotFound, dir)
	}
	for _, name := range []string{
		"outside", "relative", "escape/secret", "dangling", "loop", "self", "hidden", "hiddenfolder/config",
		"database", "absdatabase", "root", "tofolder", "through",
	} {
		_, err := v.Read(path(t, name))
		if stratum.KindOf(err) != stratum.NotFound {
			t.Errorf("%s: %v, want NotFound", name, err)
		}
		wantKind(t, err, stratum.NotFound, dir)
	}
}

// TestNeverOpened never opens what a hidden folder holds.
func TestNeverOpened(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n-- .pkm/blocks.db --\ndb\n-- .git/x.md --\nx\n-- templates/t.md --\nt\n")
	v, faults := open(t, dir)
	symlink(t, dir, ".pkm/blocks.db", "link.md")
	symlink(t, dir, ".pkm", "pkm")
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" && (strings.Contains("/"+op.Path, "/.") && op.Path != "." || strings.HasPrefix(op.Path, "templates")) {
			t.Errorf("%s is opened", op.Path)
		}
		return nil
	})
	_, err := v.Scan(t.Context())
	do(t, err)
	for _, name := range []string{"link", "pkm/blocks.db", "templates/t"} {
		_, err := v.Read(path(t, name))
		wantKind(t, err, stratum.NotFound, dir)
	}
}

func TestReadUnreadable(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\nold\n-- sub/b.md --\nb\n")
	v, faults := open(t, dir)
	for _, fault := range []struct {
		op  string
		err error
	}{
		{"open", syscall.EACCES}, {"open", syscall.EIO}, {"read", syscall.EIO}, {"stat", syscall.EIO}, {"lstat", syscall.EACCES},
	} {
		faults.Set(func(op vaulttest.Op) error {
			if op.Name == fault.op {
				return fault.err
			}
			return nil
		})
		_, err := v.Read(path(t, "sub/b"))
		wantKind(t, err, stratum.External, dir)
		if !errors.Is(err, fault.err) {
			t.Errorf("%s: the cause %v is lost: %v", fault.op, fault.err, err)
		}
	}
}

// TestReadWhileWritten reads again when the file changes under the reader.
func TestReadWhileWritten(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\nfirst\n")
	v, faults := open(t, dir)
	reads := 0
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "read" && op.Path == "a.md" {
			if reads++; reads == 2 {
				vaulttest.Write(t, dir, "a.md", "second, and longer")
			}
		}
		return nil
	})
	f, err := v.Read(path(t, "a"))
	do(t, err)
	stamp, err := v.Stat(path(t, "a"))
	do(t, err)
	if f.Content != "second, and longer" || f.Stamp != stamp {
		t.Errorf("read %q with %+v; the file has %+v", f.Content, f.Stamp, stamp)
	}
}

// TestReadNeverSteady gives a stamp that a later one differs from.
func TestReadNeverSteady(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\n\n")
	v, faults := open(t, dir)
	text := ""
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "read" {
			text += "more"
			vaulttest.Write(t, dir, "a.md", text)
		}
		return nil
	})
	f, err := v.Read(path(t, "a"))
	do(t, err)
	faults.Set(nil)
	stamp, err := v.Stat(path(t, "a"))
	do(t, err)
	if f.Stamp == stamp {
		t.Errorf("the stamp of a half-read file is that of the whole one: %+v", stamp)
	}
}

// TestReadVanishes tells a file that goes away between looking and opening
// from one that cannot be read.
func TestReadVanishes(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" {
			do(t, os.Remove(at(dir, "a.md")))
		}
		return nil
	})
	_, err := v.Read(path(t, "a"))
	wantKind(t, err, stratum.NotFound, dir)
}
