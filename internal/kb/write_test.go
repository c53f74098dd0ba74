package kb_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vaulttest"
)

func TestWriteStoresTheBytesGiven(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	for _, content := range []string{"", "one", "\xef\xbb\xbfBOM\r\n- a\r\n", "---\ntitle: [broken\n---\nbody", "a\n\n\n"} {
		d, err := k.WritePage(t.Context(), path(t, "new/deep/note"), content, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := vaulttest.Read(t, dir, "new/deep/note.md"); got != content || d.Content != content {
			t.Errorf("wrote %q, file has %q, answer %q", content, got, d.Content)
		}
	}
}

func TestWriteOfTheSameBytesWritesNothing(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	p := path(t, "soil")
	before, err := k.GetPage(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	after, err := k.WritePage(t.Context(), p, before.Content, nil)
	if err != nil || after.ModifiedAt != before.ModifiedAt {
		t.Errorf("modified %s, then %s, %v", before.ModifiedAt, after.ModifiedAt, err)
	}
}

func TestGuard(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	p := path(t, "soil")
	d, err := k.GetPage(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	at, err := stratum.ParseTime(d.ModifiedAt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = k.WritePage(t.Context(), p, "second", &at); err != nil {
		t.Fatalf("a guard that holds: %v", err)
	}
	_, err = k.WritePage(t.Context(), p, "third", &at)
	wantKind(t, err, stratum.Conflict)
	wantKind(t, k.DeletePage(t.Context(), p, &at), stratum.Conflict)
	if got := vaulttest.Read(t, dir, "soil.md"); got != "second" {
		t.Errorf("a refused call changed the note to %q", got)
	}
	_, err = k.WritePage(t.Context(), path(t, "gone"), "x", &at)
	wantKind(t, err, stratum.Conflict)
	wantKind(t, k.DeletePage(t.Context(), path(t, "gone"), &at), stratum.NotFound)
	other := at.In(time.FixedZone("", 3600))
	if _, err := k.WritePage(t.Context(), path(t, "index"), "x", &other); stratum.KindOf(err) != stratum.Conflict {
		t.Errorf("another note's time: %v", err)
	}
}

func TestModifiedTimeIsStrictlyLaterWithEachWrite(t *testing.T) {
	k := open(t, vaulttest.New(t, garden))
	last := ""
	for i := range 50 {
		d, err := k.WritePage(t.Context(), path(t, "tick"), strings.Repeat("x", i+1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.ModifiedAt <= last {
			t.Fatalf("write %d: %s is not later than %s", i, d.ModifiedAt, last)
		}
		last = d.ModifiedAt
	}
}

func TestDelete(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	if err := k.DeletePage(t.Context(), path(t, "soil"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := filepath.Glob(filepath.Join(dir, "soil.md")); err != nil {
		t.Error(err)
	}
	_, err := k.GetPage(t.Context(), path(t, "soil"))
	wantKind(t, err, stratum.NotFound)
	ref, err := k.ResolveLink(t.Context(), "soil")
	if err != nil || ref != nil {
		t.Errorf("a link to a deleted note resolves to %+v, %v", ref, err)
	}
	if got := search(t, k, "spade"); len(got) != 0 {
		t.Errorf("a deleted note is found: %v", got)
	}
	wantKind(t, k.DeletePage(t.Context(), path(t, "soil"), nil), stratum.NotFound)
}

func TestTags(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	p := path(t, "soil")
	r, err := k.AddTag(t.Context(), p, "earth")
	if err != nil || !r.Success || r.Applied != 0 {
		t.Errorf("an inline tag counts: %+v, %v", r, err)
	}
	r, err = k.AddTag(t.Context(), p, "dirt")
	if err != nil || r.Applied != 1 || r.Action != "add" {
		t.Errorf("add: %+v, %v", r, err)
	}
	if hits, err := k.SearchByTag(t.Context(), "dirt", 10); err != nil || hits.Total != 2 {
		t.Errorf("the new tag finds %d blocks, %v", hits.Total, err)
	}
	r, err = k.RemoveTag(t.Context(), p, "earth")
	if err != nil || r.Applied != 1 || strings.Contains(vaulttest.Read(t, dir, "soil.md"), "#earth") {
		t.Errorf("remove: %+v, %v", r, err)
	}
	if r, err = k.RemoveTag(t.Context(), p, "earth"); err != nil || r.Applied != 0 {
		t.Errorf("remove again: %+v, %v", r, err)
	}
	_, err = k.AddTag(t.Context(), path(t, "nowhere"), "x")
	wantKind(t, err, stratum.NotFound)
}

func TestNotesThatAreNotUTF8AreReadAndNotEdited(t *testing.T) {
	dir := vaulttest.New(t, garden)
	vaulttest.Write(t, dir, "latin.md", "caf\xe9 culture")
	k := open(t, dir)
	p := path(t, "latin")
	d, err := k.GetPage(t.Context(), p)
	if err != nil || d.Encoding != stratum.EncodingInvalid || d.Content != "caf\uFFFD culture" {
		t.Errorf("got %+v, %v", d, err)
	}
	if hits := search(t, k, "culture"); len(hits) != 1 {
		t.Errorf("not found: %v", hits)
	}
	_, err = k.WritePage(t.Context(), p, "x", nil)
	wantKind(t, err, stratum.InvalidArgs)
	_, err = k.AddTag(t.Context(), p, "x")
	wantKind(t, err, stratum.InvalidArgs)
	if got := vaulttest.Read(t, dir, "latin.md"); got != "caf\xe9 culture" {
		t.Errorf("the file became %q", got)
	}
}

func TestAWriterWaitsItsBudget(t *testing.T) {
	dir := vaulttest.New(t, garden)
	k := open(t, dir)
	other, err := kb.Open(dir, kb.Options{WriteWait: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	unlock, err := kb.Lock(k, t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.WritePage(context.Background(), path(t, "soil"), "x", nil)
	wantKind(t, err, stratum.VaultLocked)
	if stratum.AsError(err).RetryAfter == 0 {
		t.Error("VaultLocked says nothing about when to retry")
	}
	unlock()
	if _, err = other.WritePage(context.Background(), path(t, "soil"), "x", nil); err != nil {
		t.Errorf("after the lock: %v", err)
	}
}
