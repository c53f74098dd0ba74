package fulltext

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stratum/internal/vaulttest"
)

// corpusNotes reads a vault, each line that begins with "- " being a block.
func corpusNotes(tb testing.TB, dir string) (notes []Note, size int64) {
	tb.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		size += int64(len(b))
		text := string(b)
		n := Note{ID: NoteID(len(notes)), Titles: []string{strings.TrimSuffix(filepath.Base(path), ".md")}}
		for text != "" {
			end := len(text)
			if i := strings.Index(text, "\n- "); i >= 0 {
				end = i + 1
			}
			n.Blocks = append(n.Blocks, Block{Text: strings.TrimPrefix(text[:end], "- "), Heading: text[0] == '#'})
			text = text[end:]
		}
		notes = append(notes, n)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return notes, size
}

// zipfNotes makes notes of twenty blocks with a vocabulary as uneven as that
// of a language.
func zipfNotes(count int) []Note {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.1, 4, 50000)
	notes := make([]Note, count)
	var b strings.Builder
	for i := range notes {
		n := Note{ID: NoteID(i), Titles: []string{fmt.Sprintf("note%d w%d", i, z.Uint64())}}
		for range 20 {
			b.Reset()
			for range 10 + r.IntN(30) {
				fmt.Fprintf(&b, "w%d ", z.Uint64())
			}
			n.Blocks = append(n.Blocks, Block{Text: b.String()})
		}
		notes[i] = n
	}
	return notes
}

var zipf = sync.OnceValue(func() *Index {
	b := NewBuilder()
	for _, n := range zipfNotes(10000) {
		b.Add(n)
	}
	return b.Index()
})

// percentile reports the median and the minimum beside the mean.
func percentile(b *testing.B, f func()) {
	var all []time.Duration
	for b.Loop() {
		start := time.Now()
		f()
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(all[0].Nanoseconds()), "min-ns")
}

func benchmarkQueries(b *testing.B, x *Index, queries [][2]string) {
	for _, q := range queries {
		b.Run(q[0], func(b *testing.B) {
			b.ReportAllocs()
			total := x.Search(q[1], Options{Limit: 20}).Total
			percentile(b, func() { x.Search(q[1], Options{Limit: 20}) })
			b.ReportMetric(float64(total), "hits")
		})
	}
}

// 200,000 blocks of made-up words.
func BenchmarkSearch(b *testing.B) {
	x := zipf()
	benchmarkQueries(b, x, [][2]string{
		{"rare", "w40000"},
		{"medium", "w300"},
		{"common", "w5"},
		{"most-common", "w0"},
		{"two-common", "w0 w1"},
		{"rare-and-common", "w40000 w0"},
		{"three", "w10 w50 w100"},
		{"phrase", `"w0 w1"`},
		{"prefix", "w40*"},
		{"short-prefix", "w*"},
		{"without", "w5 -w6"},
		{"relaxed", "w10 w20 w30 w40 nowhere"},
	})
	b.Run("offset-5000", func(b *testing.B) {
		percentile(b, func() { x.Search("w0", Options{Offset: 4980, Limit: 20}) })
	})
	b.Run("mentions", func(b *testing.B) {
		percentile(b, func() {
			for range x.Phrase("w100 w101") {
			}
		})
	})
}

func BenchmarkBuild(b *testing.B) {
	notes := zipfNotes(2000)
	size := 0
	for _, n := range notes {
		for _, bl := range n.Blocks {
			size += len(bl.Text)
		}
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		bu := NewBuilder()
		for _, n := range notes {
			bu.Add(n)
		}
		bu.Index()
	}
}

// One note changes among 10,000, again and again.
func BenchmarkWith(b *testing.B) {
	x := zipf()
	notes := zipfNotes(1000)
	i := 0
	percentile(b, func() {
		n := notes[i%len(notes)]
		n.ID = NoteID(i * 37 % 10000)
		x = x.With([]Note{n}, nil)
		i++
	})
	b.ReportMetric(float64(x.Segments()), "segments")
}

func BenchmarkDecode(b *testing.B) {
	bin, err := zipf().AppendBinary(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(bin)))
	for b.Loop() {
		if _, err := Decode(bin); err != nil {
			b.Fatal(err)
		}
	}
}

// A vault of 10,000 notes and ten million words, where its archive is at hand.
func BenchmarkCorpus(b *testing.B) {
	notes, size := corpusNotes(b, vaulttest.Corpus(b, "interconnected-10k"))
	build := func() *Index {
		bu := NewBuilder()
		for _, n := range notes {
			bu.Add(n)
		}
		return bu.Index()
	}
	b.Run("build", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			build()
		}
	})
	x := build()
	bin, err := x.AppendBinary(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := Decode(bin); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(bin)), "bytes")
		b.ReportMetric(float64(x.Blocks()), "blocks")
	})
	benchmarkQueries(b, x, [][2]string{
		{"rare", "zulu"},
		{"medium", "imagination"},
		{"most-common", "the"},
		{"two-common", "the of"},
		{"phrase", `"of the"`},
		{"prefix", "imag*"},
		{"relaxed", "the imagination of nowherefound"},
	})
	b.Run("with", func(b *testing.B) {
		y, i := x, 0
		percentile(b, func() {
			y = y.With(notes[i*37%len(notes):][:1], nil)
			i++
		})
		b.ReportMetric(float64(y.Segments()), "segments")
	})
}

// The most common word of 6,000 blocks takes some microseconds; this
// guards against losing two orders of magnitude, whatever the machine does.
func TestSearchIsQuick(t *testing.T) {
	b := NewBuilder()
	for _, n := range zipfNotes(300) {
		b.Add(n)
	}
	x := b.Index()
	best := time.Duration(math.MaxInt64)
	for range 10 {
		start := time.Now()
		if r := x.Search("w0", Options{Limit: 20}); r.Total < 3000 {
			t.Fatalf("%d hits, want most of the blocks", r.Total)
		}
		best = min(best, time.Since(start))
	}
	if best > 10*time.Millisecond {
		t.Errorf("the most common word takes %v", best)
	}
}
