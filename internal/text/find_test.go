package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FindWord looks for a name once.
func FindWord(s, name string, from int) (start, end int, ok bool) {
	return NewFinder(name).Find(s, from)
}

func TestFindWord(t *testing.T) {
	for _, c := range []struct {
		name, in, word string
		from           int
		want           string // "" is not found
	}{
		{"plain", "see the note here", "note", 0, "note"},
		{"inside a word", "footnotes and notebook", "note", 0, ""},
		{"case", "See THE Note", "the note", 0, "THE Note"},
		{"accents", "un cafe\u0301 noir", "Café", 0, "cafe\u0301"},
		{"plain finds accents", "un Café noir", "cafe", 0, "Café"},
		{"sharp s", "die Straße dort", "STRASSE", 0, "Straße"},
		{"ligature", "a ﬁsh", "fish", 0, "ﬁsh"},
		{"dotted I", "in İstanbul now", "istanbul", 0, "İstanbul"},
		{"white space", "alpha \n\t beta", "alpha beta", 0, "alpha \n\t beta"},
		{"no white space", "alphabeta alpha-beta", "alpha beta", 0, ""},
		{"punctuation counts", "Node js, Node.js", "node.js", 0, "Node.js"},
		{"punctuation at the end", "C and C++.", "C++", 0, "C++"},
		{"punctuation at the start", "NET and .NET", ".net", 0, ".NET"},
		{"apostrophe", "it’s Tom’s hut", "Tom's Hut", 0, "Tom’s hut"},
		{"underscore separates", "a snake_note b", "note", 0, "note"},
		{"digits join", "note2 v2", "note", 0, ""},
		{"han needs no boundary", "我在东京都住", "东京", 0, "东京"},
		{"han gap", "东 京", "东京", 0, ""},
		{"han beside latin", "use東京now", "東京", 0, "東京"},
		{"mixed", "my foo東京 x", "foo東京", 0, "foo東京"},
		{"mixed inside a word", "xfoo東京", "foo東京", 0, ""},
		{"halfwidth", "ｶﾞｽ", "ガス", 0, "ｶﾞｽ"},
		{"retry after a partial match", "a a b", "a b", 0, "a b"},
		{"from", "note note", "note", 1, "note"},
		{"from inside the only one", "xx note", "note", 4, ""},
		{"from inside a word", "footnote", "note", 4, ""},
		{"emoji", "a 🍀 garden", "🍀", 0, "🍀"},
		{"emoji and word", "the 🍀 garden", "🍀 Garden", 0, "🍀 garden"},
		{"empty", "text", "  ", 0, ""},
		{"beyond", "text", "text", 9, ""},
		{"name ends after text", "alpha", "alpha beta", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, end, ok := FindWord(c.in, c.word, c.from)
			if ok != (c.want != "") || c.in[start:end] != c.want {
				t.Errorf("FindWord(%q, %q, %d) = %d %d %v (%q), want %q", c.in, c.word, c.from, start, end, ok, c.in[start:end], c.want)
			}
		})
	}
}

func FuzzFindWord(f *testing.F) {
	f.Add("see the Café, ﬁsh", "CAFE", 3)
	f.Add("東京都foo x\u0301", "京都 foo", 0)
	f.Add("a\xffb 🍀", "🍀", 2)
	f.Add(".. NET .NET", ".NET", 0)
	f.Fuzz(func(t *testing.T, s, name string, from int) {
		start, end, ok := FindWord(s, name, from)
		if !ok {
			return
		}
		if start < from || start >= end || end > len(s) || !onRune(s, start) || !onRune(s, end) {
			t.Fatalf("FindWord(%q, %q, %d) = %d %d", s, name, from, start, end)
		}
		if a, b, again := FindWord(s, name, start); !again || a != start || b != end {
			t.Fatalf("FindWord(%q, %q, %d) = %d %d %v, was %d %d", s, name, start, a, b, again, start, end)
		}
	})
}

func TestAround(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, c := range []struct {
		name  string
		s     string
		at    int
		limit int
		want  string
	}{
		{"fits", "short", 2, 10, "short"},
		{"start", long, 0, 14, "word word word"},
		{"end", long, len(long), 14, "word word "},
		{"middle", long, 250, 20, "word word word word"},
		{"no spaces", strings.Repeat("x", 50), 25, 10, strings.Repeat("x", 10)},
		{"keeps accents on their letter", "aaaaaae\u0301e\u0301e\u0301e\u0301e\u0301", 0, 7, "aaaaaa"},
		{"zero", "text", 1, 0, ""},
		{"outside", "text text", 99, 4, "text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Around(c.s, c.at, c.limit); got != c.want {
				t.Errorf("Around(%q, %d, %d) = %q, want %q", c.s, c.at, c.limit, got, c.want)
			}
		})
	}
}

func TestSnippet(t *testing.T) {
	s := strings.Repeat("before ", 60) + "needle" + strings.Repeat(" after", 60)
	at := strings.Index(s, "needle")
	got := Snippet(s, at, at+6, 200)
	if !strings.HasPrefix(got, "…before") || !strings.HasSuffix(got, "after…") || !strings.Contains(got, "needle") {
		t.Errorf("got %q", got)
	}
	if n := utf8.RuneCountInString(got); n > 200 || n < 150 {
		t.Errorf("%d characters", n)
	}
	if got := Snippet("all of it", 4, 6, 200); got != "all of it" {
		t.Errorf("got %q, want the whole text", got)
	}
	if got := Snippet(s, 0, 6, 20); got != "before before…" {
		t.Errorf("at the start: got %q", got)
	}
	if got := Snippet("word", 0, 4, 2); got != "wo" {
		t.Errorf("tiny: got %q", got)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("some text with a needle in it", 17, 23, 12)
	f.Add("e\u0301e\u0301e\u0301e\u0301", 3, 3, 3)
	f.Add("\xff\xfe東京都", 1, 99, 4)
	f.Fuzz(func(t *testing.T, s string, start, end, limit int) {
		limit %= 300
		if got := Around(s, start, limit); utf8.RuneCountInString(got) > max(limit, 0) || !strings.Contains(s, got) {
			t.Fatalf("Around(%q, %d, %d) = %q", s, start, limit, got)
		}
		got := Snippet(s, start, end, limit)
		if utf8.RuneCountInString(got) > max(limit, 0) || utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("Snippet(%q, %d, %d, %d) = %q", s, start, end, limit, got)
		}
	})
}

func BenchmarkFinder(b *testing.B) {
	s := strings.Repeat("Said of he her stop imagination. To or rise west he to. ", 10) + "the Needle Here"
	f := NewFinder("needle here")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if _, _, ok := f.Find(s, 0); !ok {
			b.Fatal("not found")
		}
	}
}
