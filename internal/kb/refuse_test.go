package kb_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"stratum"
	"stratum/internal/vaulttest"
)

// TestOnlyRealFilesAreWritten holds decision 5.3 for each mutation, also where
// it would have nothing to do.
func TestOnlyRealFilesAreWritten(t *testing.T) {
	dir := vaulttest.New(t, garden+"\n-- folder.md/ --\n")
	for link, target := range map[string]string{
		"inside.md": "soil.md", "dangling.md": "nowhere.md", "loop.md": "loop.md", "out.md": filepath.Join(t.TempDir(), "x.md"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	k := open(t, dir)
	same := vaulttest.Read(t, dir, "soil.md")
	at := time.Now()
	for _, name := range []string{"inside", "dangling", "loop", "out", "folder", "soil.md/below"} {
		p := path(t, name)
		for what, call := range map[string]func() error{
			"write":         func() error { _, err := k.WritePage(t.Context(), p, same, nil); return err },
			"guarded write": func() error { _, err := k.WritePage(t.Context(), p, "x", &at); return err },
			"delete":        func() error { return k.DeletePage(t.Context(), p, nil) },
			"add tag":       func() error { _, err := k.AddTag(t.Context(), p, "earth"); return err },
			"remove tag":    func() error { _, err := k.RemoveTag(t.Context(), p, "absent"); return err },
		} {
			if err := call(); !stratum.IsKind(err, stratum.InvalidArgs) {
				t.Errorf("%s %s: %v, want InvalidArgs", what, name, err)
			}
		}
	}
	if got := vaulttest.Read(t, dir, "soil.md"); got != same {
		t.Errorf("soil.md became %q", got)
	}
}
