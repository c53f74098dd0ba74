package vaulttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Wire is one open connection to a server that speaks in lines.
type Wire struct {
	Send  func(line string)
	Lines <-chan string // what the server sends; closed when it ends
	Close func()        // ends the input, so that the server ends
}

// answerWait is how long a conversation waits for an expected line.
const answerWait = 20 * time.Second

// Converse plays the conversations of a txtar file, each a parallel
// subtest on a connection of its own. A conversation is made of lines:
//
//	# a comment
//	-> what the client sends
//	<- the JSON that the server must answer
//	<= the bytes that the server must answer
//
// Every answer must be expected, in order. In the JSON of "<-" the order of
// keys does not matter; the strings "<any>", "<text>", "<number>", "<time>"
// and "<uuid>" stand for any such value, "<text containing …>" for a text
// with that in it, and a key "..." allows further keys. "<time m>" also keeps
// the value, so that a later line may send it as <m>.
func Converse(t *testing.T, file string, open func(t *testing.T) Wire) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			c := conversation{Wire: open(t), kept: make(map[string]string)}
			c.play(t, string(f.Data))
		})
	}
}

type conversation struct {
	Wire
	kept map[string]string
}

func (c *conversation) play(t *testing.T, script string) {
	t.Helper()
	for n, line := range strings.Split(script, "\n") {
		mark, rest, _ := strings.Cut(line, " ")
		switch mark {
		case "", "#":
		case "->":
			for name, value := range c.kept {
				rest = strings.ReplaceAll(rest, "<"+name+">", value)
			}
			c.Send(rest)
		case "<-":
			got := c.receive(t, n+1)
			if err := c.match(got, rest); err != nil {
				t.Errorf("line %d: %v\n got %s\nwant %s", n+1, err, got, rest)
			}
		case "<=":
			if got := c.receive(t, n+1); got != rest {
				t.Errorf("line %d:\n got %s\nwant %s", n+1, got, rest)
			}
		default:
			t.Fatalf("line %d starts with none of # -> <- <=: %s", n+1, line)
		}
	}
	c.Close()
	for line := range c.Lines {
		t.Errorf("the server also sent %s", line)
	}
}

func (c *conversation) receive(t *testing.T, n int) string {
	t.Helper()
	select {
	case line, ok := <-c.Lines:
		if !ok {
			t.Fatalf("line %d: the server ended", n)
		}
		return line
	case <-time.After(answerWait):
		t.Fatalf("line %d: no answer", n)
	}
	return ""
}

func (c *conversation) match(got, want string) error {
	g, err := decode(got)
	if err != nil {
		return fmt.Errorf("the answer is no JSON: %w", err)
	}
	w, err := decode(want)
	if err != nil {
		return fmt.Errorf("the expectation is no JSON: %w", err)
	}
	return c.compare("", g, w)
}

func decode(s string) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(s)))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

func (c *conversation) compare(at string, got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is no object", at)
		}
		_, open := want["..."]
		for _, key := range slices.Sorted(maps.Keys(g)) {
			if _, known := want[key]; !known && !open {
				return fmt.Errorf("%s/%s was not expected", at, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, present := g[key]
			if key == "..." {
				continue
			}
			if !present {
				return fmt.Errorf("%s/%s is missing", at, key)
			}
			if err := c.compare(at+"/"+key, value, want[key]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			return fmt.Errorf("%s is no array of %d", at, len(want))
		}
		for i := range want {
			if err := c.compare(fmt.Sprintf("%s/%d", at, i), g[i], want[i]); err != nil {
				return err
			}
		}
		return nil
	case string:
		if strings.HasPrefix(want, "<") && strings.HasSuffix(want, ">") {
			return c.compareKind(at, got, want[1:len(want)-1])
		}
	}
	if got != want {
		return fmt.Errorf("%s is %v, not %v", at, got, want)
	}
	return nil
}

var shapes = map[string]*regexp.Regexp{
	"text": regexp.MustCompile(`(?s)^.+$`),
	"time": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$`),
	"uuid": regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
}

func (c *conversation) compareKind(at string, got any, want string) error {
	kind, name, _ := strings.Cut(want, " ")
	text, isText := got.(string)
	if part, ok := strings.CutPrefix(name, "containing "); ok && kind == "text" {
		if !isText || !strings.Contains(text, part) {
			return fmt.Errorf("%s does not contain %q", at, part)
		}
		return nil
	}
	switch shape := shapes[kind]; {
	case kind == "any":
	case kind == "number":
		if _, ok := got.(json.Number); !ok {
			return fmt.Errorf("%s is no number", at)
		}
	case shape == nil:
		return fmt.Errorf("%s: unknown placeholder <%s>", at, want)
	case !isText || !shape.MatchString(text):
		return fmt.Errorf("%s is no %s", at, kind)
	}
	if name != "" {
		c.kept[name] = text
	}
	return nil
}
