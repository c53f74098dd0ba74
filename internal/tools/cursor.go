package tools

import (
	"crypto/sha256"
	"encoding/base64"

	"stratum"
)

// A cursor is base64url of a check of six bytes and the path of the last note
// given, so it stays valid while notes come and go (decision 7.2). The check
// tells a cursor of ours from a guess; it is no secret, and needs to be none:
// a cursor opens nothing that its holder could not list anyway.

// cursorVersion goes into the check: another version's cursors are refused.
const cursorVersion = "stratum-mcp kb_list_pages 1\n"

const checkLen = 6

var cursorEncoding = base64.RawURLEncoding.Strict()

// cursorAfter returns the cursor of the page that follows the note at p.
func cursorAfter(p string) string {
	sum := sha256.Sum256([]byte(cursorVersion + p))
	return cursorEncoding.EncodeToString(append(sum[:checkLen:checkLen], p...))
}

// cursorLen returns the length of cursorAfter(p).
func cursorLen(p string) int { return cursorEncoding.EncodedLen(checkLen + len(p)) }

// parseCursor returns the path that a cursor continues after. It returns
// InvalidArgs for what cursorAfter has not made.
func parseCursor(cursor string) (stratum.Path, error) {
	raw, err := cursorEncoding.DecodeString(cursor)
	if err != nil || len(raw) <= checkLen {
		return stratum.Path{}, badCursor()
	}
	p, err := stratum.ParsePath(string(raw[checkLen:]))
	if err != nil || cursorAfter(p.String()) != cursor {
		return stratum.Path{}, badCursor()
	}
	return p, nil
}

func badCursor() *stratum.Error {
	return &stratum.Error{
		Kind:    stratum.InvalidArgs,
		Message: "The cursor is not one that kb_list_pages gave.",
		Hint:    "Pass next_cursor exactly as it was given, or leave cursor out to start at the first note.",
		Errors:  []stratum.FieldError{{Path: "/cursor", Message: "was not given by this server"}},
	}
}
