package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stratum"
)

func dyingPage(text string) Page {
	p, err := stratum.ParsePath("a.md")
	if err != nil {
		panic(err)
	}
	q := Page{Path: p, Note: outline(text+" one", text+" two", "  "+text+" three"), Modified: day1}
	return q.link(0, "b", text+".md").link(2, "b", text+".md")
}

// dieInPut is the other process of TestKilledInPut: it puts a page and, just
// before the commit, says so and waits for its end.
func dieInPut(file string) {
	ctx := context.Background()
	s, err := Open(ctx, file, WithHook(func(statement string) error {
		if statement == "COMMIT" {
			fmt.Println("uncommitted")
			select {}
		}
		return nil
	}))
	if err == nil {
		_, err = s.Put(ctx, dyingPage("new"))
	}
	fmt.Println("not killed:", err)
	os.Exit(1)
}

func TestKilledInPut(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, dyingPage("old"))
	a := openApp(t, file)
	before := a.everything()

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "STORE_TEST_DIE_IN_PUT="+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if strings.TrimSpace(line) != "uncommitted" {
		t.Errorf("the other process said %q", line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the other process ended well")
	}

	if diff := cmp.Diff(before, a.everything()); diff != "" {
		t.Errorf("after the kill (-before +after):\n%s", diff)
	}
	put(t, s, dyingPage("new"))
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if digests(t, s)["a.md"] != DigestOf(dyingPage("new")) {
		t.Error("the next Put did not take")
	}
}
