package stratum

import (
	"crypto/sha256"
	"strings"
	"time"
)

// Stamp is what the file system says of a note's file: enough to tell that a
// file has not been replaced or edited since.
type Stamp struct {
	Size     int64  // bytes
	Modified int64  // mtime, nanoseconds since the Unix epoch
	Inode    uint64 // file number where the system has one, else 0
}

// Time returns the mtime in UTC.
func (s Stamp) Time() time.Time { return time.Unix(0, s.Modified).UTC() }

// Hash identifies a note's exact bytes: the first half of their SHA-256.
type Hash [16]byte

// HashOf returns the hash of a note's bytes.
func HashOf(b []byte) Hash {
	sum := sha256.Sum256(b)
	return Hash(sum[:16])
}

// timestampLayout is RFC 3339 UTC with always nine digits, so that
// timestamps sort as text (decision 5.7).
const timestampLayout = "2006-01-02T15:04:05.000000000Z"

// FormatTime returns t as the contract's timestamps are written.
func FormatTime(t time.Time) string { return t.UTC().Format(timestampLayout) }

// ParseTime reads an RFC 3339 timestamp with up to nine fractional digits. It
// returns an InvalidArgs [Error] for anything else (decision 5.7).
func ParseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	_, fraction, _ := strings.Cut(s, ".")
	digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789"))
	// The library also takes a decimal comma and any number of digits.
	if err != nil || strings.Contains(s, ",") || digits > 9 {
		return time.Time{}, &Error{
			Kind:    InvalidArgs,
			Message: "expected_modified is not an RFC 3339 timestamp.",
			Hint:    "Pass modified_at exactly as kb_get_page gave it, or leave expected_modified out.",
		}
	}
	return t, nil
}
