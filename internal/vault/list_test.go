package vault_test

import (
	"testing"

	"stratum"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

// TestListPagesAgreeWithTheScan walks the notes in pages of every size: each
// note comes once, in byte order, whatever "/" sorts before and after.
func TestListPagesAgreeWithTheScan(t *testing.T) {
	v, err := vault.Open(vaulttest.New(t, `
-- a.md --
-- a-b.md --
-- a/b.md --
-- a/b/c.md --
-- a/b-c.md --
-- a!/x.md --
-- .hidden/x.md --
-- templates/x.md --
-- z/templates/x.md --
-- z/not a note.txt --
-- empty/ --
-- zz.md --
`))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	scan, err := v.Scan(t.Context())
	if err != nil || len(scan.Entries) != 8 {
		t.Fatalf("scan: %+v, %v", scan, err)
	}
	for limit := 1; limit <= 9; limit++ {
		var got []vault.Entry
		for after, more := (stratum.Path{}), true; more; {
			var part []vault.Entry
			if part, more, err = v.List(t.Context(), after, limit); err != nil {
				t.Fatal(err)
			}
			if len(part) > limit || more && len(part) == 0 {
				t.Fatalf("limit %d: a page of %d, more %v", limit, len(part), more)
			}
			got = append(got, part...)
			if more {
				after = part[len(part)-1].Path
			}
		}
		if len(got) != len(scan.Entries) {
			t.Fatalf("limit %d: %d notes, want %d", limit, len(got), len(scan.Entries))
		}
		for i := range got {
			if got[i] != scan.Entries[i] {
				t.Errorf("limit %d: note %d is %v, want %v", limit, i, got[i], scan.Entries[i])
			}
		}
	}
}
