package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"stratum"
)

const (
	// defaultParallel is how many tool calls run at the same time when
	// Options says nothing.
	defaultParallel = 32
	// responseMin is the least MCP_RESPONSE_MAX: below it not even one item
	// of a list can be told.
	responseMin = 4 << 10
	// budgetMin is what a call of a crowded batch gets at least.
	budgetMin = 2 << 10
)

// Options are what a [Server] is made of beside its tools. The zero Options
// serve; every field has a default.
type Options struct {
	Title        string       // serverInfo.title
	Instructions string       // for the model, in the answer to initialize
	ResponseMax  int          // MCP_RESPONSE_MAX; 0 means stratum.ResponseMax
	Parallel     int          // tool calls that run at the same time; 0 means 32
	Gate         Gate         // nil lets everybody call everything
	Logger       *slog.Logger // nil discards
}

// Server answers messages from a static table of tools. It is safe for use by
// many connections at once.
type Server struct {
	opts  Options
	log   *slog.Logger
	tools map[string]*tool
	names []string // in the table's order
	slots chan struct{}

	initialized json.RawMessage // the result of initialize
	listed      json.RawMessage // the result of tools/list

	mu    sync.Mutex // guards conns
	conns map[*Conn]struct{}
}

// tool is a Tool with its compiled schema.
type tool struct {
	Tool
	schema *schema
}

// NewServer compiles the table's schemas. It fails on a table that could not
// be served: a missing or doubled name, a schema that is none, no Call.
func NewServer(table []Tool, opts Options) (*Server, error) {
	if opts.ResponseMax == 0 {
		opts.ResponseMax = stratum.ResponseMax
	}
	if opts.ResponseMax < responseMin {
		return nil, fmt.Errorf("MCP_RESPONSE_MAX is %d bytes; it must be at least %d", opts.ResponseMax, responseMin)
	}
	if opts.Parallel <= 0 {
		opts.Parallel = defaultParallel
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		opts: opts, log: opts.Logger,
		tools: make(map[string]*tool, len(table)),
		slots: make(chan struct{}, opts.Parallel),
		conns: make(map[*Conn]struct{}),
	}
	for _, t := range table {
		if err := s.add(t); err != nil {
			return nil, fmt.Errorf("tool %q: %w", t.Name, err)
		}
	}
	s.initialized = s.describe()
	s.listed = s.list()
	return s, nil
}

func (s *Server) add(t Tool) error {
	if t.Name == "" || t.Call == nil {
		return errors.New("it has no name or nothing to call")
	}
	if s.tools[t.Name] != nil {
		return errors.New("it stands twice in the table")
	}
	sch, err := compileSchema(t.Name, t.InputSchema)
	if err != nil {
		return fmt.Errorf("compile its schema: %w", err)
	}
	t.InputSchema = sch.raw
	s.tools[t.Name] = &tool{t, sch}
	s.names = append(s.names, t.Name)
	return nil
}

// Log sends a log message to every connection whose session asked for its
// level. It returns when all of them have taken it.
func (s *Server) Log(level Level, logger string, data any) {
	s.mu.Lock()
	var to []*Conn
	for c := range s.conns {
		if least := c.session.Level(); least != 0 && level >= least {
			to = append(to, c)
		}
	}
	s.mu.Unlock()
	if len(to) == 0 {
		return
	}
	line := notification("notifications/message", struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}{level.String(), logger, marshal(data)})
	for _, c := range to {
		c.notify(line)
	}
}

func notification(method string, params any) []byte {
	return marshal(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}
