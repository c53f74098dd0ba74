package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"stratum-mcp": main})
}

// TestScripts runs the command as an operator would: one script a promise.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}

// TestRunInProcess runs commands without a process of their own, so that the
// coverage of this package is measured.
func TestRunInProcess(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/note.md", []byte("- a [[link]] and a #tag\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want int
		args []string
	}{
		{0, []string{"version"}},
		{0, []string{"--help"}},
		{2, []string{"--no-such-flag"}},
		{1, []string{"status", dir}},
		{0, []string{"init", dir}},
		{0, []string{"index", dir}},
		{0, []string{"index", "--rebuild", dir}},
		{0, []string{"status", dir}},
		{0, []string{"call", dir, "kb_search", `{"query":"link"}`}},
		{1, []string{"call", dir, "kb_search", `{}`}},
		{1, []string{"call", dir, "kb_get_page", `{"path":"nowhere"}`}},
		{1, []string{"call", dir}},
		{0, []string{"--stdio", dir}},
		{1, []string{dir}},
		{0, []string{"client-config", "cursor", dir}},
		{1, []string{"client-config", "abacus", dir}},
	} {
		var out, errs writer
		got := run(context.Background(), streams{in: &reader{}, out: &out, err: &errs}, c.args)
		if got != c.want {
			t.Errorf("%v: status %d, want %d\nstdout: %s\nstderr: %s", c.args, got, c.want, out, errs)
		}
	}
}
