package tools

import (
	"strings"
	"testing"

	"stratum"
)

func TestCursor(t *testing.T) {
	for _, p := range []string{"a.md", "deep/er/ü 😀.md", strings.Repeat("a/", 2000) + "b.md"} {
		cursor := cursorAfter(p)
		if len(cursor) != cursorLen(p) {
			t.Errorf("the cursor has %d bytes, cursorLen says %d", len(cursor), cursorLen(p))
		}
		got, err := parseCursor(cursor)
		if err != nil || got.String() != p {
			t.Errorf("the cursor after %.20s leads to %v, %v", p, got, err)
		}
		if strings.Contains(cursor, "a.md") {
			t.Errorf("the cursor %s shows what is in it", cursor)
		}
	}
	good := cursorAfter("notes/a.md")
	for _, forged := range []string{
		"x", "AAAA", good[1:], good + "A", good + "=", good + "\n", " " + good, strings.ToUpper(good), "!!", "notes/a.md",
		good[:len(good)-1], cursorAfter("notes/a"), cursorAfter("../x.md"), cursorAfter(""), strings.Repeat("A", 1<<20),
	} {
		if p, err := parseCursor(forged); stratum.KindOf(err) != stratum.InvalidArgs || err == nil {
			t.Errorf("%.40q leads to %v, %v; want InvalidArgs", forged, p, err)
		}
	}
}

// FuzzCursor: whatever is taken for a cursor is one that we would give.
func FuzzCursor(f *testing.F) {
	f.Add(cursorAfter("a.md"))
	f.Add(cursorAfter("../a.md"))
	f.Add("AAAAAAAAYS5tZA")
	f.Add("%")
	f.Fuzz(func(t *testing.T, cursor string) {
		p, err := parseCursor(cursor)
		if err != nil {
			if stratum.KindOf(err) != stratum.InvalidArgs {
				t.Errorf("%q: %v, want InvalidArgs", cursor, err)
			}
			return
		}
		if again, err := stratum.ParsePath(p.String()); err != nil || again != p || cursorAfter(p.String()) != cursor {
			t.Errorf("%q leads to %v", cursor, p)
		}
	})
}
