package vault_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"stratum"
	"stratum/internal/vault"
	"stratum/internal/vaulttest"
)

// lockEnv makes the test binary a second process that takes the lock of the
// vault it names, says so, and holds it until its input ends.
const lockEnv = "STRATUM_TEST_LOCK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(lockEnv); dir != "" {
		if err := holdLock(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func holdLock(dir string) error {
	v, err := vault.Open(dir)
	if err != nil {
		return err
	}
	unlock, err := v.Lock(context.Background())
	if err != nil {
		return err
	}
	fmt.Println("locked")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	unlock()
	return v.Close()
}

// TestLockProcesses excludes another process, until it is done and when it
// dies.
func TestLockProcesses(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	for _, end := range []string{"unlocks", "dies"} {
		t.Run(end, func(t *testing.T) {
			other := exec.CommandContext(t.Context(), os.Args[0])
			other.Env = append(os.Environ(), lockEnv+"="+dir)
			in, err := other.StdinPipe()
			do(t, err)
			out, err := other.StdoutPipe()
			do(t, err)
			do(t, other.Start())
			line, err := bufio.NewReader(out).ReadString('\n')
			if line != "locked\n" {
				t.Fatalf("the other process says %q, %v", line, err)
			}

			short, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
			defer cancel()
			if unlock, err := v.Lock(short); !errors.Is(err, context.DeadlineExceeded) {
				unlock()
				t.Fatalf("Lock beside the other process: %v, want %v", err, context.DeadlineExceeded)
			}
			if end == "dies" {
				do(t, other.Process.Kill())
			} else {
				do(t, in.Close())
			}
			unlock, err := v.Lock(t.Context())
			do(t, err)
			unlock()
			unlock()
			if err := other.Wait(); err != nil && end == "unlocks" {
				t.Errorf("the other process: %v", err)
			}
		})
	}
}

// TestLockGoroutines never lets two in.
func TestLockGoroutines(t *testing.T) {
	v, _ := open(t, vaulttest.New(t, ""))
	var inside, total atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				unlock, err := v.Lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				total.Add(1)
				inside.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	if total.Load() != 20 {
		t.Errorf("%d turns, want 20", total.Load())
	}
}

func TestLockEnded(t *testing.T) {
	v, _ := open(t, vaulttest.New(t, ""))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Lock = %v, want %v", err, context.Canceled)
	}
}

// TestLockRemoved locks the file that stands, not one that was removed.
func TestLockRemoved(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, _ := open(t, dir)
	unlock, err := v.Lock(t.Context())
	do(t, err)
	if err := os.RemoveAll(at(dir, ".pkm/mcp")); err != nil {
		unlock()
		t.Skipf("a locked file cannot be removed here: %v", err)
	}
	again, err := v.Lock(t.Context())
	do(t, err)
	short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	unlock() // lets nobody in: the lock of the removed file is no lock
	if third, err := v.Lock(short); err == nil {
		third()
		t.Error("two hold the lock")
	}
	again()
}

func TestLockFails(t *testing.T) {
	dir := vaulttest.New(t, "")
	v, faults := open(t, dir)
	do(t, os.Mkdir(at(dir, ".pkm/mcp/lock"), 0o755))
	_, err := v.Lock(t.Context())
	wantKind(t, err, stratum.External, dir)

	do(t, os.RemoveAll(at(dir, ".pkm/mcp")))
	faults.Set(func(op vaulttest.Op) error {
		if op.Name == "mkdir" {
			return syscall.EROFS
		}
		return nil
	})
	_, err = v.Lock(t.Context())
	wantKind(t, err, stratum.External, dir)
	if msg := stratum.AsError(err).Message; !strings.Contains(msg, "read-only") {
		t.Errorf("message = %q, want it to say that the vault is read-only", msg)
	}
}
