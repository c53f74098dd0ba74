//go:build unix

package vault_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stratum"
	"stratum/internal/vaulttest"
)

// TestSpecialFiles never waits for, lists, reads, writes or removes a FIFO or
// a socket that is called like a note.
func TestSpecialFiles(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	do(t, unix.Mkfifo(at(dir, "fifo.md"), 0o644))
	t.Chdir(dir) // a socket's path must be short
	socket, err := net.Listen("unix", "socket.md")
	do(t, err)
	defer socket.Close()
	symlink(t, dir, "fifo.md", "link.md")
	v, _ := open(t, dir)

	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range []string{"fifo", "socket", "link"} {
			_, err := v.Read(path(t, name))
			wantKind(t, err, stratum.NotFound, dir)
			_, err = v.Stat(path(t, name))
			wantKind(t, err, stratum.NotFound, dir)
			_, err = v.Replace(path(t, name), "x")
			wantKind(t, err, stratum.InvalidArgs, dir)
			_, err = v.Remove(path(t, name))
			wantKind(t, err, stratum.InvalidArgs, dir)
		}
		notes, skipped := scan(t, v)
		if len(notes) != 1 || len(skipped) != 3 || !strings.Contains(strings.Join(skipped, ";"), "fifo.md: it is no regular file") {
			t.Errorf("notes %q, skipped %q", notes, skipped)
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a special file blocks the server")
	}
}

// TestFIFOSwappedIn meets a FIFO that takes a note's place between looking
// and opening.
func TestFIFOSwappedIn(t *testing.T) {
	dir := vaulttest.New(t, "-- a.md --\na\n")
	v, faults := open(t, dir)
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "open" && op.Path == "a.md" {
			do(t, unix.Unlink(at(dir, "a.md")))
			do(t, unix.Mkfifo(at(dir, "a.md"), 0o644))
		}
		return nil
	})
	_, err := v.Read(path(t, "a"))
	wantKind(t, err, stratum.NotFound, dir)
}
