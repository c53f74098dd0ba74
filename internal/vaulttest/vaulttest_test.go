package vaulttest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNew(t *testing.T) {
	dir := New(t, "a comment\n-- a.md --\n# A\n-- deep/b.md --\n\n-- empty/ --\n")
	if got, want := Read(t, dir, "a.md"), "# A\n"; got != want {
		t.Errorf("a.md = %q, want %q", got, want)
	}
	if got, want := Read(t, dir, "deep/b.md"), "\n"; got != want {
		t.Errorf("deep/b.md = %q, want %q", got, want)
	}
	for _, folder := range []string{".pkm", "empty"} {
		if info, err := os.Stat(filepath.Join(dir, folder)); err != nil || !info.IsDir() {
			t.Errorf("%s is no folder: %v", folder, err)
		}
	}
}

func TestCorpus(t *testing.T) {
	dir := Corpus(t, "kepano")
	notes, err := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	if err != nil || len(notes) == 0 {
		t.Errorf("no notes in the corpus: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".pkm")); err != nil {
		t.Errorf("the corpus is no vault: %v", err)
	}
}

func TestCorpusMissing(t *testing.T) {
	t.Setenv(corporaEnv, t.TempDir())
	skipped := t.Run("skips", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("a missing corpus does not skip the test")
			}
		}()
		Corpus(t, "no-such-corpus")
	})
	if !skipped {
		t.Error("a missing corpus fails the test")
	}
}
