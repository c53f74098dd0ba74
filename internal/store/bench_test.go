package store

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stratum"
)

// vault yields a made-up vault of n notes with twelve blocks and nineteen
// links each, the same every time.
func vault(n int) iter.Seq[Page] {
	return func(yield func(Page) bool) {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range n {
			if !yield(vaultPage(r, i, n)) {
				return
			}
		}
	}
}

func vaultPath(i int) string { return fmt.Sprintf("folder-%03d/note-%05d.md", i/100, i) }

func vaultPage(r *rand.Rand, i, n int) Page {
	p, err := stratum.ParsePath(vaultPath(i))
	if err != nil {
		panic(err)
	}
	note := &stratum.Note{Title: fmt.Sprintf("Note %d", i), Frontmatter: map[string]any{
		"title": fmt.Sprintf("Note %d", i), "tags": []string{"one", "two"}, "status": "draft", "rank": int64(i),
	}}
	for b := range 12 {
		block := stratum.Block{
			Content: fmt.Sprintf("Block %d of note %d, %s", b, i, strings.Repeat("some words here ", 3+r.IntN(8))),
			Parent:  -1, Left: b - 1,
		}
		if b > 6 {
			block.Parent, block.Left = 6, -1
			if b > 7 {
				block.Left = b - 1
			}
		}
		note.Blocks = append(note.Blocks, block)
	}
	page := Page{Path: p, Note: note, Modified: time.Unix(1_780_000_000+int64(i), 123456789)}
	for l := range 19 {
		target := vaultPath(r.IntN(n))
		note.Links = append(note.Links, stratum.Link{Target: strings.TrimSuffix(target, ".md"), Block: l * 12 / 19})
		page.Targets = append(page.Targets, target)
	}
	return page
}

func openBench(b *testing.B, n int) *Store {
	b.Helper()
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "blocks.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if n > 0 {
		if _, err := s.Fill(b.Context(), vault(n), nil); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

const benchPages = 10_000

func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := openBench(b, 0)
		b.StartTimer()
		if _, err := s.Fill(b.Context(), vault(benchPages), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(benchPages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

func BenchmarkFillUnchanged(b *testing.B) {
	s := openBench(b, benchPages)
	for b.Loop() {
		if n, err := s.Fill(b.Context(), vault(benchPages), nil); n != 0 || err != nil {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(benchPages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

func BenchmarkPut(b *testing.B) {
	s := openBench(b, benchPages)
	p := vaultPage(rand.New(rand.NewPCG(1, 2)), 5000, benchPages)
	for i := 0; b.Loop(); i++ {
		p.Note.Blocks[5].Content = fmt.Sprint("edit ", i)
		if n, err := s.Put(b.Context(), p); n != 1 || err != nil {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkPutAll12(b *testing.B) {
	s := openBench(b, benchPages)
	p := vaultPage(rand.New(rand.NewPCG(1, 2)), 5000, benchPages)
	for i := 0; b.Loop(); i++ {
		for j := range p.Note.Blocks {
			p.Note.Blocks[j].ID = deriveID(p.Path, "fresh", uint64(i), uint64(j))
		}
		if n, err := s.Put(b.Context(), p); n != 1 || err != nil {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkBlockIDs(b *testing.B) {
	s := openBench(b, benchPages)
	r := rand.New(rand.NewPCG(1, 2))
	pages := make([]Page, 500)
	for i := range pages {
		pages[i] = vaultPage(r, i, benchPages)
	}
	for i := 0; b.Loop(); i++ {
		p := pages[i%len(pages)]
		if _, err := s.BlockIDs(b.Context(), p.Path, p.Note); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBlockIDsUnfilled(b *testing.B) {
	s := openBench(b, 0)
	p := vaultPage(rand.New(rand.NewPCG(1, 2)), 5, benchPages)
	for b.Loop() {
		if _, err := s.BlockIDs(b.Context(), p.Path, p.Note); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDigests(b *testing.B) {
	s := openBench(b, benchPages)
	for b.Loop() {
		n := 0
		for _, err := range s.Digests(b.Context()) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != benchPages {
			b.Fatal(n)
		}
	}
}

func BenchmarkDigestOf(b *testing.B) {
	p := vaultPage(rand.New(rand.NewPCG(1, 2)), 5, benchPages)
	for b.Loop() {
		DigestOf(p)
	}
}

func BenchmarkGeneration(b *testing.B) {
	s := openBench(b, 10)
	for b.Loop() {
		if _, err := s.Generation(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
