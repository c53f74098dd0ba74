package tools

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

// schemas are the contract's input schemas, byte for byte (§5).
//
//go:embed schemas/*.json
var schemas embed.FS

// Title is what initialize gives as the server's title.
const Title = "Stratum notes"

// Instructions tell a model how to go about the vault (decision 1.2).
const Instructions = `This server reads and writes one vault of linked Markdown notes. A note is named by its vault-relative path, such as projects/example.md. ` +
	`To find notes start with kb_search (words, "a phrase", pre*, -without), kb_search_by_tag or kb_autocomplete; kb_list_pages goes through all of them. ` +
	`Read one with kb_get_page, and follow its connections with kb_backlinks, kb_graph and kb_resolve_link. ` +
	`Notes link to each other by [[wiki-links]] in their text: to link, write the link with kb_write_page. ` +
	`To change a note safely: kb_get_page, edit the whole content, then kb_write_page with expected_modified set to the modified_at you were given; on a Conflict (-32002) read the note again and redo the edit. ` +
	`Never write back content that came with "truncated": true. ` +
	`Long lists come in pages: pass next_cursor or next_offset on until it is null.`

// Table returns the fifteen tools in the contract's order, at work on k.
func Table(k *kb.KB) []mcp.Tool {
	table := []mcp.Tool{
		getPage(k), listPages(k), writePage(k), deletePage(k), reindex(k),
		indexStatus(k), search(k), searchByTag(k), autocomplete(k), backlinks(k),
		graph(k), resolveLink(k), addTag(k), removeTag(k), vaultInfo(k),
	}
	for i := range table {
		table[i].InputSchema, table[i].Title = readSchema(table[i].Name)
	}
	return table
}

// readSchema returns a tool's input schema and the title in it. The files are
// part of the program, so a missing or broken one is a broken build.
func readSchema(name string) (schema json.RawMessage, title string) {
	schema, err := schemas.ReadFile("schemas/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	var head struct {
		Title string `json:"title"`
	}
	if err := json.Unmarshal(schema, &head); err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	return schema, head.Title
}

// NewServer returns a protocol server for the fifteen tools at work on k. The
// title and the instructions of opts are set here.
func NewServer(k *kb.KB, opts mcp.Options) (*mcp.Server, error) {
	opts.Title, opts.Instructions = Title, Instructions
	server, err := mcp.NewServer(Table(k), opts)
	if err != nil {
		return nil, fmt.Errorf("make the server: %w", err)
	}
	return server, nil
}

// Run calls one tool by name and returns the bare response object, as it
// would stand in structuredContent. Its errors are [stratum.Error]s, an
// unknown name's too.
func Run(ctx context.Context, s *mcp.Server, name string, arguments json.RawMessage) (json.RawMessage, error) {
	result, err := s.Call(ctx, name, arguments)
	if err != nil {
		return nil, err
	}
	return result.Structured, nil
}

// The three sorts of tools. No tool reaches outside the vault, so none of them
// is open to the world.
var (
	reads     = mcp.Annotations{ReadOnly: true, Idempotent: true}
	refreshes = mcp.Annotations{Idempotent: true}
	overrides = mcp.Annotations{Destructive: true, Idempotent: true}
)

// decode reads the arguments, which have passed the tool's schema.
func decode[T any](c *mcp.Call) (args T, err error) {
	if err = json.Unmarshal(c.Arguments, &args); err != nil {
		err = &stratum.Error{
			Kind:    stratum.InvalidArgs,
			Message: "The arguments could not be read.",
			Hint:    "Send them as tools/list describes them.",
			Cause:   err,
		}
	}
	return args, err
}
