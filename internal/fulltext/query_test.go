package fulltext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// show renders a query: each term as its words at their offsets.
func show(q *Query) string {
	var out []string
	for i, list := range [][]term{q.terms, q.without} {
		for _, t := range list {
			var s strings.Builder
			s.WriteString([]string{"", "-"}[i])
			for j, w := range t.words {
				if j > 0 {
					fmt.Fprintf(&s, "+%d", t.offsets[j])
				}
				s.WriteString(w)
			}
			if t.prefix {
				s.WriteString("*")
			}
			out = append(out, s.String())
		}
	}
	return strings.Join(out, " ")
}

func TestParseQuery(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" \n -- * \" '' -", ""},
		{"Foo BAR foo", "foo bar"},
		{`"a phrase" b`, "a+1phrase b"},
		{`"open phrase`, "open phrase"},
		{`""`, ""},
		{`"" x`, "x"},
		{"“curly quotes”", "curly+1quotes"},
		{`5" and 6" disk`, "5 and 6 disk"},
		{`("a b")c`, "a+1b c"},
		{"pre* p*q", "pre* p+1q"},
		{"* a * pre** pre.*", "a pre"},
		{`"in quotes*"`, "in+1quotes"},
		{"foo-ba*", "foo+1ba*"},
		{"-without a", "a -without"},
		{"a -b* -\"c d\" -e-f", "a -b* -c+1d -e+1f"},
		{"a - b --c -(d a-b", "a b c d a+1b"},
		{`-"open`, "open"},
		{"x\t-y", "x -y"},
		{"2024-05-01 a/b.md it's", "2024+1" + "05+2" + "01 a+1b+2md it+1s"},
		{"AND OR NOT title:x (y) ^z ~1", "and or not title+1x y z 1"},
		{"東京都", "東京+1京都"},
		{"東 京都 foo東京", "東 京都 foo+1東京"},
		{"東、京都", "東+1京都"},
		{"東京、都", "東京+2都"},
		{"東京*", "東京*"},
		{"-東京 東", "東 -東京"},
		{"a\xff b", "a b"},
	} {
		if got := show(ParseQuery(c.in)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestParseQueryIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	q := ParseQuery(b.String())
	if len(q.terms) != queryTokens {
		t.Errorf("%d terms, want %d", len(q.terms), queryTokens)
	}
	if q := ParseQuery(strings.ReplaceAll(b.String(), " ", "-")); len(q.terms) != 1 || len(q.terms[0].words) != queryTokens {
		t.Errorf("%d terms of %d words", len(q.terms), len(q.terms[0].words))
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("filler ", 100)
	for _, c := range []struct{ query, text, want string }{
		{"needle", long + "the NEEDLE here " + long, "NEEDLE"},
		{"caf*", long + "un Café noir " + long, "Café"},
		{`"two words"`, "two " + long + "two words " + long, "two words"},
		{"two-words", "two " + long + "two, words " + long, "two, words"},
		{"wo-ba*", long + "wo bars " + long, "wo bars"},
		{"京都", long + "東京都 " + long, "京都"},
		{"東京都", long + "東京 " + long, "東京"},
		{"absent", "the beginning " + long, "the beginning"},
		{"-filler absent", "the beginning " + long, "the beginning"},
		{"", "the beginning " + long, "the beginning"},
	} {
		got := ParseQuery(c.query).Snippet(c.text, 200)
		if !strings.Contains(got, c.want) || utf8.RuneCountInString(got) > 200 {
			t.Errorf("%q: got %q, want %q within", c.query, got, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	s := "Alpha beta, alphabet"
	for _, c := range []struct{ query, want string }{
		{"beta", "beta"},
		{"bet*", "beta"},
		{"alphabe*", "alphabet"},
		{"beta alpha", "Alpha"},
		{`"beta alpha"`, "Alpha"},
		{`"beta alphabet"`, "beta, alphabet"},
		{"x", ""},
	} {
		start, end, ok := ParseQuery(c.query).Find(s)
		if s[start:end] != c.want || ok != (c.want != "") {
			t.Errorf("%q: found %q, %v, want %q", c.query, s[start:end], ok, c.want)
		}
	}
}

func FuzzQuery(f *testing.F) {
	b := NewBuilder()
	b.Add(Note{ID: 1, Titles: []string{"The title", "別名"}, Blocks: []Block{{Text: "a b a-b 東京都"}, {Text: "the end", Heading: true}}})
	b.Add(Note{ID: 2, Titles: []string{"Other"}})
	x := b.Index()
	for _, s := range []string{`a "b c" -d e* -"f`, "東京* -京", "title:(a OR b)^2~", `“x” -“y z”`, "a\xff-\"\xfe\"", "-*", `the-en* "`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, q string) {
		r := x.Search(q, Options{Limit: 10})
		if len(r.Hits) != r.Total || r.Total > 3 {
			t.Fatalf("%q: %d hits, total %d", q, len(r.Hits), r.Total)
		}
		for _, h := range r.Hits {
			if h.Score <= 0 || h.Score > 1 {
				t.Fatalf("%q: score %v", q, h.Score)
			}
		}
		s := "a b a-b 東京都 " + q
		if got := ParseQuery(q).Snippet(s, 20); utf8.RuneCountInString(got) > 20 {
			t.Fatalf("%q: snippet %q", q, got)
		}
		for range x.Phrase(q) {
		}
	})
}
