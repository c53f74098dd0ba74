package store

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// stampLayout is how both programs write timestamps; always nine digits,
// because the app sorts them as text.
const stampLayout = "2006-01-02T15:04:05.000000000+00:00"

// stamp returns t as the database holds it. Times outside the years that four
// digits can write become the nearest that can.
func stamp(t time.Time) string {
	t = t.UTC()
	switch y := t.Year(); {
	case y < 0:
		t = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	case y > 9999:
		t = time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	}
	return t.Format(stampLayout)
}

// validStamp reports whether s is a timestamp that the app would have
// written: RFC 3339 with the offset +00:00.
func validStamp(s string) bool {
	if !strings.HasSuffix(s, "+00:00") {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, s)
	return err == nil
}

// restamp returns the instant of a row's timestamp in our own layout, or
// otherwise when it is none.
func restamp(s, otherwise string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return otherwise
	}
	return stamp(t)
}

// sameInstant reports whether two timestamps, of which want is ours, mean the
// same.
func sameInstant(have, want string) bool {
	return have == want || validStamp(have) && restamp(have, "") == want
}

// clean returns s as text that the app can read: it refuses invalid UTF-8.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, string(utf8.RuneError))
}

// encodeProperties returns a JSON object of strings with sorted keys.
func encodeProperties(p map[string]string) string {
	if len(p) == 0 {
		return "{}"
	}
	cleaned := make(map[string]string, len(p))
	for k, v := range p {
		cleaned[clean(k)] = clean(v)
	}
	return encodeJSON(cleaned)
}

// canonicalProperties returns a row's properties as encodeProperties would
// write them; not ok when the app would read them as empty, because they are
// no object of strings.
func canonicalProperties(text string) (canonical string, ok bool) {
	if text == "{}" {
		return text, true
	}
	var values map[string]*string
	if err := json.Unmarshal([]byte(text), &values); err != nil || values == nil {
		return "", false
	}
	p := make(map[string]string, len(values))
	for k, v := range values {
		if v == nil {
			return "", false
		}
		p[k] = *v
	}
	return encodeProperties(p), true
}

// encodeJSON encodes maps, lists and scalars, which cannot fail. Keys are
// sorted, invalid UTF-8 is replaced.
func encodeJSON(v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "{}"
	}
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

// atEnd reports whether nothing but white space is left in dec.
func atEnd(dec *json.Decoder) bool {
	_, err := dec.Token()
	return err == io.EOF
}
