package kb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/text"
	"stratum/internal/vaulttest"
)

// TestCorpora holds on real vaults what the other tests hold on small ones:
// every note is listed, read back byte for byte and found; writing it back
// changes nothing; and whatever led to an index, it answers the same.
func TestCorpora(t *testing.T) {
	for name, large := range map[string]bool{
		"kepano": false, "silverbullet-site": false, "dendron-site": false, "knowledge-garden": true, "interconnected-10k": true,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && large {
				t.Skip("a large corpus; run without -short")
			}
			t.Parallel()
			dir := vaulttest.Corpus(t, name)
			k := open(t, dir)
			st, err := k.IndexStatus(t.Context())
			if err != nil || !st.IndexFresh || st.IndexedPages != st.TotalPages {
				t.Fatalf("index: %+v, %v", st, err)
			}
			notes := listAll(t, k)
			if len(notes) != st.TotalPages {
				t.Errorf("%d notes listed, %d on disk", len(notes), st.TotalPages)
			}
			words := everyNoteReadsBack(t, k, dir, notes)
			foundByAWord(t, k, notes, words)
			sameAnswers(t, k, dir, queriesOf(words))
		})
	}
}

func listAll(t *testing.T, k *kb.KB) []stratum.Path {
	var out []stratum.Path
	for after, more := (stratum.Path{}), true; more; {
		var pages []stratum.PageSummary
		var err error
		if pages, more, err = k.ListPages(t.Context(), after, stratum.PageLimitMax); err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			after = path(t, p.Path)
			out = append(out, after)
		}
	}
	return out
}

// everyNoteReadsBack reads every note and writes it back, and returns the words
// of each.
func everyNoteReadsBack(t *testing.T, k *kb.KB, dir string, notes []stratum.Path) map[stratum.Path][]string {
	words := make(map[stratum.Path][]string)
	for _, p := range notes {
		file := filepath.Join(dir, filepath.FromSlash(p.String()))
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := k.GetPage(t.Context(), p)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		words[p] = wordsOf(d)
		if !utf8.Valid(want) {
			continue
		}
		if d.Content != string(want) {
			t.Errorf("%s is not read back byte for byte", p)
		}
		after, err := k.WritePage(t.Context(), p, d.Content, nil)
		if err != nil || after.ModifiedAt != d.ModifiedAt {
			t.Errorf("%s: writing back what was read: %v", p, err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
			t.Errorf("%s changed on the disk", p)
		}
	}
	return words
}

// wordsOf returns the folded words of a note's body, or of its title where the
// body has none.
func wordsOf(d stratum.NoteDocument) []string {
	body := d.Content
	if strings.HasPrefix(body, "---") {
		if _, rest, ok := strings.Cut(body[3:], "\n---"); ok {
			body = rest
		}
	}
	for _, s := range []string{body, d.Title} {
		var out []string
		for tok := range text.Tokens(s) {
			out = append(out, tok.Text)
		}
		if len(out) > 0 {
			slices.Sort(out)
			return slices.Compact(out)
		}
	}
	return nil
}

// foundByAWord searches for each note's rarest word.
func foundByAWord(t *testing.T, k *kb.KB, notes []stratum.Path, words map[stratum.Path][]string) {
	count := make(map[string]int)
	for _, ws := range words {
		for _, w := range ws {
			count[w]++
		}
	}
	snap := kb.Snapshot(k)
	for _, p := range notes {
		ws := words[p]
		if len(ws) == 0 {
			continue
		}
		rarest := slices.MinFunc(ws, func(a, b string) int { return count[a] - count[b] })
		found := false
		for _, h := range snap.Search(rarest, 0, 1<<20).Hits {
			found = found || h.Path == p
		}
		if !found {
			t.Errorf("%s is not found by its word %q", p, rarest)
		}
	}
}

// queriesOf makes 200 queries of the words of notes: single ones, pairs,
// phrases and prefixes.
func queriesOf(words map[stratum.Path][]string) []string {
	var all []string
	for _, ws := range words {
		all = append(all, ws...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	var out []string
	for i := range min(200, len(all)) {
		w := all[i*len(all)/200%len(all)]
		other := all[(i*7919+13)%len(all)]
		out = append(out, []string{w, w + " " + other, `"` + w + " " + other + `"`, w + "*", w + " -" + other}[i%5])
	}
	return out
}

// sameAnswers compares the index with one rebuilt, and with one that has
// every note taken out and put back in parts.
func sameAnswers(t *testing.T, k *kb.KB, dir string, queries []string) {
	before := answers(k, queries)
	var some []string
	for i, p := range listAll(t, k) {
		if i%37 == 0 {
			some = append(some, p.String())
		}
	}
	for _, step := range []func(file string) error{
		func(file string) error { return os.Rename(file, file+".away") },
		func(file string) error { return os.Rename(file+".away", file) },
	} {
		for _, p := range some {
			if err := step(filepath.Join(dir, filepath.FromSlash(p))); err != nil {
				t.Fatal(err)
			}
		}
		if err := k.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	compare(t, "after notes went and came back", queries, before, answers(k, queries))
	if _, err := k.Reindex(t.Context(), true, nil); err != nil {
		t.Fatal(err)
	}
	compare(t, "after a rebuild", queries, before, answers(k, queries))
}

func answers(k *kb.KB, queries []string) []string {
	snap := kb.Snapshot(k)
	out := make([]string, len(queries))
	for i, q := range queries {
		out[i] = fmt.Sprint(snap.Search(q, 0, 50))
	}
	return out
}

func compare(t *testing.T, when string, queries, want, got []string) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s, %q answers\n%.300s\nwant\n%.300s", when, queries[i], got[i], want[i])
			return
		}
	}
}
