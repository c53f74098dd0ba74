package stratum_test

import (
	"strings"
	"testing"

	"stratum"
)

func TestParsePathAccepts(t *testing.T) {
	for in, want := range map[string]string{
		"projects/example.md":            "projects/example.md",
		"projects/example":               "projects/example.md",
		"a..b.md":                        "a..b.md",
		"a.b.c":                          "a.b.c.md",
		"x.MD":                           "x.MD.md",
		"日记/今天 🌱":                        "日记/今天 🌱.md",
		"Q: what now":                    "Q: what now.md",
		"café":                           "café.md",
		strings.Repeat("n", 252) + ".md": strings.Repeat("n", 252) + ".md",
	} {
		p, err := stratum.ParsePath(in)
		if err != nil || p.String() != want {
			t.Errorf("ParsePath(%q) = %q, %v; want %q", in, p, err, want)
		}
	}
}

func TestParsePathRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"empty":            "",
		"absolute":         "/etc/passwd",
		"drive":            `C:notes.md`,
		"lower drive":      "c:/notes",
		"backslash":        `a\b`,
		"NUL":              "a\x00b",
		"newline":          "a\nb",
		"C1 control":       "a\u0085b",
		"dot":              "./a",
		"dot dot":          "a/../b",
		"leading dot dot":  "../a",
		"only dot dot":     "..",
		"empty component":  "a//b",
		"trailing slash":   "a/",
		"hidden":           ".pkm/config.toml",
		"hidden in folder": "a/.git/b",
		"only extension":   ".md",
		"long component":   strings.Repeat("n", 253) + ".md",
		"long path":        strings.Repeat("n/", 2048) + "n",
		"bad UTF-8":        "a\xffb",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := stratum.ParsePath(in)
			e := stratum.AsError(err)
			if e == nil || e.Kind != stratum.InvalidArgs {
				t.Fatalf("ParsePath(%q) error = %v; want InvalidArgs", in, err)
			}
			if e.Hint == "" {
				t.Error("the error has no hint")
			}
			if strings.Contains(e.Message+e.Path, "/etc") {
				t.Errorf("the error repeats an absolute path: %q %q", e.Message, e.Path)
			}
		})
	}
}

func TestPathParts(t *testing.T) {
	p := mustPath(t, "a/b c/my-note.md")
	if p.Slug() != "a/b c/my-note" || p.Stem() != "my-note" || p.Dir() != "a/b c" {
		t.Errorf("slug %q, stem %q, dir %q", p.Slug(), p.Stem(), p.Dir())
	}
	if got := p.Title(""); got != "my note" {
		t.Errorf("Title from the stem = %q, want %q", got, "my note")
	}
	if got := p.Title("A title"); got != "A title" {
		t.Errorf("Title from the frontmatter = %q", got)
	}
	if top := mustPath(t, "top"); top.Dir() != "" || top.Stem() != "top" {
		t.Errorf("top-level note: dir %q, stem %q", top.Dir(), top.Stem())
	}
	if !mustPath(t, "templates/daily").IsTemplate() || mustPath(t, "a/templates/daily").IsTemplate() || mustPath(t, "templates").IsTemplate() {
		t.Error("only what lies under the top-level templates folder is a template")
	}
	if !(stratum.Path{}).IsZero() || p.IsZero() || p.Compare(mustPath(t, "b")) >= 0 {
		t.Error("zero or order is wrong")
	}
}

func mustPath(t *testing.T, s string) stratum.Path {
	t.Helper()
	p, err := stratum.ParsePath(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// FuzzParsePath holds that whatever is accepted stays inside the vault, is a
// note's name, and parses to itself.
func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"a", "a/b.md", "../a", "a/..", "C:\\x", "a//b", ".a", "é/日", "a/.../b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := stratum.ParsePath(s)
		if err != nil {
			if stratum.KindOf(err) != stratum.InvalidArgs {
				t.Fatalf("%q: kind %v", s, stratum.KindOf(err))
			}
			return
		}
		if !strings.HasSuffix(p.String(), ".md") || strings.HasPrefix(p.String(), "/") {
			t.Fatalf("%q became %q", s, p)
		}
		for c := range strings.SplitSeq(p.String(), "/") {
			if c == "" || c[0] == '.' {
				t.Fatalf("%q became %q with component %q", s, p, c)
			}
		}
		if again, err := stratum.ParsePath(p.String()); err != nil || again != p {
			t.Fatalf("%q parses to %q, then to %q, %v", s, p, again, err)
		}
		if again, err := stratum.ParsePath(p.Slug()); err == nil && again != p && !strings.HasSuffix(p.Slug(), ".md") {
			t.Fatalf("slug %q is not the path %q but %q", p.Slug(), p, again)
		}
	})
}
