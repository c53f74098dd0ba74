package stratum

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NoteExt is the extension of a note, compared exactly (vault-format §1).
const NoteExt = ".md"

// TemplatesDir is the top-level folder whose files are not notes
// (decision 5.2).
const TemplatesDir = "templates"

// Path is the vault-relative path of a note: "/" between components, ending
// in ".md", none of its components hidden, empty, "." or "..". Only
// [ParsePath] makes one. The zero Path is no path. Paths are comparable and
// ordered by their bytes.
type Path struct{ s string }

// ParsePath checks a path argument by decision 5.3, without any I/O, and
// appends ".md" where it is missing. It returns an InvalidArgs [Error] that
// never repeats an absolute path.
func ParsePath(s string) (Path, error) {
	if s == "" {
		return Path{}, badPath("", "it is empty")
	}
	if utf8.RuneCountInString(s) > PathMax {
		return Path{}, badPath("", fmt.Sprintf("it is longer than %d characters", PathMax))
	}
	if strings.HasPrefix(s, "/") || isDrive(s) {
		return Path{}, badPath("", "it is absolute; paths are relative to the vault")
	}
	if !utf8.ValidString(s) {
		return Path{}, badPath("", "it is not valid UTF-8")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r == '\\' || unicode.IsControl(r) }) {
		return Path{}, badPath("", `it holds a backslash or a control character; folders are separated by "/"`)
	}
	if !strings.HasSuffix(s, NoteExt) {
		s += NoteExt
	}
	for c := range strings.SplitSeq(s, "/") {
		switch {
		case c == "":
			return Path{}, badPath("", "it has an empty component")
		case c == "." || c == "..":
			return Path{}, badPath("", `it has a "." or ".." component`)
		case c[0] == '.':
			return Path{}, badPath(s, `it has a component that starts with "."; hidden files are not notes`)
		case len(c) > ComponentMax:
			return Path{}, badPath("", fmt.Sprintf("it has a component longer than %d bytes", ComponentMax))
		}
	}
	return Path{s}, nil
}

// isDrive reports a Windows drive. A blank after the colon makes it a sentence:
// no drive is followed by one, and notes are called "Q: what now".
func isDrive(s string) bool {
	letter := len(s) >= 2 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
	return letter && !strings.HasPrefix(s[2:], " ")
}

func badPath(shown, why string) *Error {
	return &Error{
		Kind:    InvalidArgs,
		Message: "The path is not a note's path: " + why + ".",
		Hint:    "Give a path relative to the vault, such as projects/example.md.",
		Path:    shown,
	}
}

// String returns the path with ".md".
func (p Path) String() string { return p.s }

// IsZero reports whether p is no path.
func (p Path) IsZero() bool { return p.s == "" }

// Slug returns the path without ".md" (contract §4.1).
func (p Path) Slug() string { return strings.TrimSuffix(p.s, NoteExt) }

// Stem returns the file's name without ".md".
func (p Path) Stem() string {
	s := p.Slug()
	return s[strings.LastIndexByte(s, '/')+1:]
}

// Dir returns the note's folder without a trailing "/"; "" is the vault itself.
func (p Path) Dir() string {
	return p.s[:max(0, strings.LastIndexByte(p.s, '/'))]
}

// Compare orders paths by their bytes (decision 7.2).
func (p Path) Compare(q Path) int { return strings.Compare(p.s, q.s) }

// IsTemplate reports whether p lies under the top-level templates folder and
// so is not a note (decision 5.2).
func (p Path) IsTemplate() bool { return strings.HasPrefix(p.s, TemplatesDir+"/") }

// Title returns the title of the note at p: its frontmatter's, else the stem
// with "-" as spaces (decision 5.5).
func (p Path) Title(frontmatter string) string {
	if frontmatter != "" {
		return frontmatter
	}
	return strings.ReplaceAll(p.Stem(), "-", " ")
}
