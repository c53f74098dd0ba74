package markdown

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusNotes returns the notes of a corpus by path, read from its archive;
// the test is skipped when that is not there.
func corpusNotes(tb testing.TB, name string) map[string]string {
	tb.Helper()
	dir := os.Getenv("STRATUM_CORPORA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	path := filepath.Join(dir, name+".tar.gz")
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		tb.Skipf("no corpus %s; set STRATUM_CORPORA to the folder with the archives", name)
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	notes := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return notes
		}
		if err != nil {
			tb.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !strings.HasSuffix(h.Name, ".md") {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		notes[h.Name] = string(text)
	}
}

var corpora = []string{"interconnected-10k", "knowledge-garden", "dendron-site", "silverbullet-site", "kepano"}

func TestCorpora(t *testing.T) {
	for _, name := range corpora {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name == corpora[0] {
				t.Skip("large corpus in short mode")
			}
			notes := corpusNotes(t, name)
			var blocks, links, tags, broken int
			for path, src := range notes {
				note := Parse(src)
				if err := checkNote(src, note); err != nil {
					t.Errorf("%s: %v", path, err)
				}
				if note.FrontmatterErr != nil {
					broken++
					t.Logf("%s: %v", path, note.FrontmatterErr)
				}
				blocks += len(note.Blocks)
				links += len(note.Links)
				tags += len(note.Tags)
			}
			t.Logf("%d notes: %d blocks, %d links, %d tags; %d with frontmatter that does not parse",
				len(notes), blocks, links, tags, broken)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"interconnected-10k", "knowledge-garden", "dendron-site"} {
		b.Run(name, func(b *testing.B) {
			var notes []string
			size := 0
			for _, src := range corpusNotes(b, name) {
				notes = append(notes, src)
				size += len(src)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range notes {
					Parse(src)
				}
			}
		})
	}
}
