package stratum_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stratum"
)

func TestKindsMatchTheContract(t *testing.T) {
	for _, row := range []struct {
		kind   stratum.Kind
		name   string
		code   int
		status int
	}{
		{stratum.ParseError, "ParseError", -32700, 400},
		{stratum.InvalidRequest, "InvalidRequest", -32600, 400},
		{stratum.MethodNotFound, "MethodNotFound", -32601, 400},
		{stratum.InvalidArgs, "InvalidArgs", -32602, 400},
		{stratum.Internal, "Internal", -32603, 500},
		{stratum.External, "External", -32000, 500},
		{stratum.NotFound, "NotFound", -32001, 404},
		{stratum.Conflict, "Conflict", -32002, 409},
		{stratum.RateLimited, "RateLimited", -32003, 429},
		{stratum.Ssid, "Ssid", -32004, 403},
		{stratum.ScopesDenied, "ScopesDenied", -32005, 403},
		{stratum.VaultLocked, "VaultLocked", -32006, 423},
	} {
		if row.kind.String() != row.name || row.kind.Code() != row.code || row.kind.HTTPStatus() != row.status {
			t.Errorf("%s: got %s %d %d, want %d %d", row.name, row.kind, row.kind.Code(), row.kind.HTTPStatus(), row.code, row.status)
		}
	}
}

func TestUnclassifiedErrorsAreInternalAndTellNothing(t *testing.T) {
	cause := errors.New("open /home/me/vault/.pkm: denied")
	e := stratum.AsError(fmt.Errorf("read note: %w", cause))
	if e.Kind != stratum.Internal || strings.Contains(e.Message+e.Hint, "/home") {
		t.Errorf("got %v %q %q", e.Kind, e.Message, e.Hint)
	}
	if !errors.Is(e, cause) {
		t.Error("the cause is lost to the log")
	}
	if stratum.AsError(nil) != nil {
		t.Error("AsError(nil) is not nil")
	}
	wrapped := fmt.Errorf("op: %w", stratum.ErrNotFound(mustPath(t, "a")))
	if stratum.KindOf(wrapped) != stratum.NotFound {
		t.Errorf("a wrapped NotFound became %v", stratum.KindOf(wrapped))
	}
}

func TestErrorData(t *testing.T) {
	e := &stratum.Error{Kind: stratum.VaultLocked, Hint: "Retry.", RetryAfter: 1200 * time.Millisecond}
	got, err := json.Marshal(e.Data())
	if want := `{"kind":"VaultLocked","hint":"Retry.","retry_after_seconds":2}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	e.RetryAfter = time.Millisecond
	if e.Data().RetryAfterSeconds != 1 {
		t.Errorf("a short wait is %d s, want 1", e.Data().RetryAfterSeconds)
	}
	if got := stratum.ErrExternal("save the note", errors.New("disk")).Error(); !strings.Contains(got, "save the note") || !strings.HasSuffix(got, ": disk") {
		t.Errorf("External for the log: %q", got)
	}
}

func TestTimestamps(t *testing.T) {
	at := time.Date(2026, 9, 19, 10, 0, 0, 120, time.FixedZone("", 7200))
	if got := stratum.FormatTime(at); got != "2026-09-19T08:00:00.000000120Z" {
		t.Errorf("FormatTime = %s", got)
	}
	back, err := stratum.ParseTime(stratum.FormatTime(at))
	if err != nil || !back.Equal(at) {
		t.Errorf("round trip: %v, %v", back, err)
	}
	if got := (stratum.Stamp{Modified: at.UnixNano()}).Time(); !got.Equal(at) || got.Location() != time.UTC {
		t.Errorf("Stamp.Time = %v", got)
	}
	for _, s := range []string{"", "yesterday", "2026-09-19", "2026-09-19 08:00:00Z", "2026-13-01T00:00:00Z", "2026-09-19T08:00:00,5Z", "2026-09-19T08:00:00.1234567890Z", "2026-09-19T08:00:00.1234567890+00:00"} {
		if _, err := stratum.ParseTime(s); !stratum.IsKind(err, stratum.InvalidArgs) {
			t.Errorf("ParseTime(%q) = %v, want InvalidArgs", s, err)
		}
	}
	if stratum.HashOf([]byte("a")) == stratum.HashOf([]byte("b")) {
		t.Error("different bytes have one hash")
	}
}
