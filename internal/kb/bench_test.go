package kb_test

import (
	"os"
	"path/filepath"
	"testing"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vaulttest"
)

// The benchmarks run on the corpus of 10,000 notes. BenchmarkReadFile is the
// floor that the others are ratios to: one note read by the operating system.

func bench(b *testing.B) (*kb.KB, string, []stratum.Path) {
	dir := vaulttest.Corpus(b, "interconnected-10k")
	k, err := kb.Open(dir, kb.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { k.Close() })
	if err := k.Settle(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	var notes []stratum.Path
	pages, _, err := k.ListPages(b.Context(), stratum.Path{}, 1000)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range pages {
		p, err := stratum.ParsePath(s.Path)
		if err != nil {
			b.Fatal(err)
		}
		notes = append(notes, p)
	}
	return k, dir, notes
}

func BenchmarkOnTenThousandNotes(b *testing.B) {
	k, dir, notes := bench(b)
	b.Run("ReadFile", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := os.ReadFile(filepath.Join(dir, notes[i%len(notes)].String())); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("GetPage", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := k.GetPage(b.Context(), notes[i%len(notes)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, query := range map[string]string{"rare": "ridiculous", "common": "the", "pair": "imagination vessel"} {
		b.Run("Search/"+name, func(b *testing.B) {
			for b.Loop() {
				r, err := k.Search(b.Context(), query, 0, 20)
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range r.Hits {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
	b.Run("ListPages", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := k.ListPages(b.Context(), stratum.Path{}, 100); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Backlinks", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			seq, err := k.Backlinks(b.Context(), notes[i%len(notes)], false)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for _, err := range seq {
				if err != nil {
					b.Fatal(err)
				}
				if n++; n == 100 {
					break
				}
			}
		}
	})
	b.Run("WritePage", func(b *testing.B) {
		p := notes[0]
		d, err := k.GetPage(b.Context(), p)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			if _, err := k.WritePage(b.Context(), p, d.Content+"\n- x"[:2+i%2], nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
