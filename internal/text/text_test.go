package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain 2", "plain 2"},
		{"LOUD", "loud"},
		{"Straße", "strasse"},
		{"Éclair e\u0301clair", "eclair eclair"},
		{"İstanbul ISTANBUL ıspanak", "istanbul istanbul ispanak"},
		{"ﬁn Ⅻ ２０２４ ＡＢ", "fin xii 2024 ab"},
		{"Łódź Ærø København", "lodz aero kobenhavn"},
		{"ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"},
		{"Ёлка", "елка"},
		{"ガ ｶﾞ か\u3099", "ガ ガ が"},
		{"\u1112\u1161\u11ab한", "한한"},
		{"हिन्दी", "हिन्दी"},
		{"שָׁלוֹם", "שלום"},
		{"co\u00adope\u200drate", "cooperate"},
		{"Việt Nam", "viet nam"},
	} {
		if got := Fold(c.in); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Every character folds to something that folds to itself, and the quick way
// gives what the slow one gives.
func TestFoldEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := string(r)
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		if slow := foldAny(s); slow != once {
			t.Errorf("Fold(%q) = %q, slowly %q", s, once, slow)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Straße", "e\u0301", "ｶﾞ", "\u1112\u1161\u11ab", "ǅ\u0345", "a\xffb", "r\xd4\xf0ΰ", "각\u11ab", "İ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		if !utf8.ValidString(s) {
			return
		}
		if slow := foldAny(s); slow != once {
			t.Errorf("Fold(%q) = %q, slowly %q", s, once, slow)
		}
	})
}

func TestFoldCase(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Café", "café"}, {"CAFE\u0301", "café"}, {"STRASSE", "strasse"}, {"x", "x"},
	} {
		if got := FoldCase(c.in); got != c.want {
			t.Errorf("FoldCase(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// show renders tokens as text@position, pairs in brackets.
func show(s string) string {
	var out []string
	for t := range Tokens(s) {
		form := "%s@%d"
		if t.Kind == Pair {
			form = "[%s]@%d"
		}
		out = append(out, fmt.Sprintf(form, t.Text, t.Pos))
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" .,;-_ ", ""},
		{"Hello, World", "hello@0 world@1"},
		{"snake_case v2 2024-05-01", "snake@0 case@1 v2@2 2024@3 05@4 01@5"},
		{"it's a/b.md", "it@0 s@1 a@2 b@3 md@4"},
		{"e\u0301té Straße", "ete@0 strasse@1"},
		{"東京都", "東@0 [東京]@0 京@1 [京都]@1 都@2"},
		{"foo東京 bar", "foo@0 東@1 [東京]@1 京@2 bar@3"},
		{"第3章", "第@0 3@1 章@2"},
		{"東、京", "東@0 京@1"},
		{"ｶﾞス", "ガ@0 [ガス]@0 ス@1"},
		{"カレー", "カ@0 [カレ]@0 レ@1 [レー]@1 ー@2"},
		{"\u1112\u1161\u11ab국", "한@0 [한국]@0 국@1"},
		{"हिन्दी भाषा", "हिन्दी@0 भाषा@1"},
		{"ไทย", "ไ@0 [ไท]@0 ท@1 [ทย]@1 ย@2"},
		{"\u0301 \ufe0f", ""},
		{"a\xffb", "a@0 b@1"},
		{"🍀 clover🍀", "clover@0"},
		{"x² ½", "x2@0 12@1"},
		{"soft\u00adhyphen", "softhyphen@0"},
		{strings.Repeat("x", 100), strings.Repeat("x", WordMax) + "@0"},
		{strings.Repeat("É", 100) + " b", strings.Repeat("e", WordMax) + "@0 b@1"},
	} {
		if got := show(c.in); got != c.want {
			t.Errorf("Tokens(%q)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestTokensStopEarly(t *testing.T) {
	for tok := range Tokens("one two") {
		if tok.Text != "one" {
			t.Fatalf("got %q after the walk was stopped", tok.Text)
		}
		break
	}
}

func TestTokenSpans(t *testing.T) {
	s := "Ünï ﬁsh, e\u0301a 東か\u3099x"
	var got []string
	for tok := range Tokens(s) {
		got = append(got, s[tok.Start:tok.End])
	}
	want := []string{"Ünï", "ﬁsh", "e\u0301a", "東", "東か\u3099", "か\u3099", "x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"Hello wörld", "東京都foo", "a\u0301\xff", "ｶﾞ\u3099", "ﷺ ½", strings.Repeat("ก็", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end, pos := 0, -1
		for tok := range Tokens(s) {
			if tok.Start < 0 || tok.End > len(s) || tok.Start >= tok.End || !onRune(s, tok.Start) || !onRune(s, tok.End) {
				t.Fatalf("%q: span %d:%d", s, tok.Start, tok.End)
			}
			if tok.Text == "" || len(tok.Text) > wordBytes || !utf8.ValidString(tok.Text) {
				t.Fatalf("%q: text %q", s, tok.Text)
			}
			if tok.Kind == Pair {
				if tok.Pos != pos {
					t.Fatalf("%q: pair at %d after %d", s, tok.Pos, pos)
				}
				continue
			}
			if tok.Pos != pos+1 || tok.Start < end {
				t.Fatalf("%q: token %+v after position %d ending at %d", s, tok, pos, end)
			}
			pos, end = tok.Pos, tok.End
			if a, b, ok := FindWord(s, s[tok.Start:tok.End], tok.Start); !ok || a != tok.Start || b != tok.End {
				t.Fatalf("%q: FindWord(%q, %d) = %d %d %v", s, s[tok.Start:tok.End], tok.Start, a, b, ok)
			}
		}
	})
}

// onRune reports whether i does not split a rune of s.
func onRune(s string, i int) bool {
	return i == len(s) || utf8.RuneStart(s[i]) || !utf8.ValidString(s)
}

func TestScannerDoesNotAllocate(t *testing.T) {
	s := "plain words UPPER déjà vu 東京都 and more"
	var sc Scanner
	if n := testing.AllocsPerRun(100, func() {
		for sc.Reset(s); sc.Scan(); {
			_ = sc.Word()
		}
	}); n != 0 {
		t.Errorf("%v allocations a text, want none", n)
	}
}

func BenchmarkScanner(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", strings.Repeat("Said of he her stop imagination. To or rise west he to. ", 100)},
		{"french", strings.Repeat("Là où l'été s'achève, le café français déçoit. ", 100)},
		{"japanese", strings.Repeat("東京都は日本の首都であり、カレーが美味しい。", 100)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			var sc Scanner
			for b.Loop() {
				for sc.Reset(c.text); sc.Scan(); {
				}
			}
		})
	}
}
