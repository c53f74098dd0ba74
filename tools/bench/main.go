// Command bench measures stratum-mcp as its users meet it: a process on a
// vault, spoken to over stdio. It unpacks an archive of notes, indexes it,
// starts cold and warm, searches, and prints times and memory.
//
//	go -C tools run ./bench -bin BINARY -corpus ARCHIVE.tar.gz
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	log.SetFlags(0)
	bin := flag.String("bin", "", "the stratum-mcp `binary`")
	corpus := flag.String("corpus", "", "the `archive` (.tar.gz) of notes to measure on")
	searches := flag.Int("searches", 400, "`number` of searches to time")
	flag.Parse()
	if _, err := os.Stat(*corpus); err != nil {
		fmt.Printf("no archive %s; name one with CORPUS=... to measure a large vault\n", *corpus)
		return
	}
	if err := run(*bin, *corpus, *searches); err != nil {
		log.Fatal("bench: ", err)
	}
}

func run(bin, corpus string, searches int) error {
	tmp, err := os.MkdirTemp("", "stratum-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	vault, words, err := unpack(corpus, tmp)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", corpus, err)
	}
	fmt.Printf("vault: %s, %d notes\n", filepath.Base(vault), words.notes)

	took, err := timed(bin, "index", vault)
	if err != nil {
		return err
	}
	row("index, from nothing (blocks.db filled)", took)
	if took, err = timed(bin, "index", "--rebuild", vault); err != nil {
		return err
	}
	row("index --rebuild", took)
	if took, err = timed(bin, "index", vault); err != nil {
		return err
	}
	row("index, nothing changed", took)

	// Cold: a vault that no server has seen.
	if err := os.RemoveAll(filepath.Join(vault, ".pkm")); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(vault, ".pkm"), 0o755); err != nil {
		return err
	}
	if err := session(bin, vault, "cold", words, searches); err != nil {
		return err
	}
	return session(bin, vault, "warm", words, searches)
}

// session starts a server, times its first answers and then searches, and
// prints the process's memory at the end.
func session(bin, vault, name string, words *vocabulary, searches int) error {
	start := time.Now()
	c, err := dial(bin, vault)
	if err != nil {
		return err
	}
	defer c.close()
	if _, err := c.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18",
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "bench", "version": "0"},
	}); err != nil {
		return err
	}
	row(name+" start to initialize", time.Since(start))
	if _, err := c.tool("kb_search", map[string]any{"query": words.query(0)}); err != nil {
		return err
	}
	row(name+" start to the first search", time.Since(start))
	for {
		status, err := c.tool("kb_index_status", nil)
		if err != nil {
			return err
		}
		if status["index_fresh"] == true {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	row(name+" start to index_fresh", time.Since(start))

	kinds := []struct {
		name, tool string
		args       func(i int) map[string]any
	}{
		{"kb_search, one word", "kb_search", func(i int) map[string]any { return map[string]any{"query": words.query(i)} }},
		{"kb_search, two words", "kb_search", func(i int) map[string]any {
			return map[string]any{"query": words.query(i) + " " + words.query(3*i+1)}
		}},
		{"kb_get_page", "kb_get_page", func(i int) map[string]any { return map[string]any{"path": words.path(i)} }},
		{"kb_backlinks", "kb_backlinks", func(i int) map[string]any { return map[string]any{"path": words.path(i)} }},
		{"kb_graph, depth 2", "kb_graph", func(i int) map[string]any { return map[string]any{"path": words.path(i)} }},
	}
	for _, k := range kinds {
		times := make([]time.Duration, 0, searches)
		for i := range searches {
			begin := time.Now()
			if _, err := c.tool(k.tool, k.args(i)); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			times = append(times, time.Since(begin))
		}
		slices.Sort(times)
		fmt.Printf("  %-42s median %9s   p95 %9s   max %9s\n", name+" "+k.name,
			round(times[len(times)/2]), round(times[len(times)*95/100]), round(times[len(times)-1]))
	}
	if now, peak, ok := c.memory(); ok {
		fmt.Printf("  %-42s now %.0f MB   peak %.0f MB\n", name+" resident memory", now, peak)
	}
	return nil
}

// timed runs the binary to its end and returns how long that took.
func timed(bin string, args ...string) (time.Duration, error) {
	start := time.Now()
	if out, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", args[0], err, out)
	}
	return time.Since(start), nil
}

func row(name string, d time.Duration) { fmt.Printf("  %-42s %s\n", name, round(d)) }

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
