package tools

import (
	"context"
	"time"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

type writePageArgs struct {
	Path             string  `json:"path"`
	Content          string  `json:"content"`
	ExpectedModified *string `json:"expected_modified"`
}

func writePage(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_write_page",
		Description: "Creates a note, or replaces one whole: content becomes the exact text of the file, frontmatter included. " +
			"To change a note, read it with kb_get_page, edit the full content, and pass its modified_at as expected_modified: " +
			"if somebody changed it meanwhile nothing is written and the answer is Conflict. Links are made by writing [[Other Note]] in the content. " +
			"Comes back as the note now stands, with its new modified_at. To add or remove a tag only, use kb_add_tag or kb_remove_tag.",
		Annotations: overrides,
		Scope:       stratum.ScopeWrite,
		Mutates:     true,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			args, err := decode[writePageArgs](c)
			if err != nil {
				return mcp.Result{}, err
			}
			path, expected, err := parseGuarded(args.Path, args.ExpectedModified)
			if err != nil {
				return mcp.Result{}, err
			}
			doc, err := k.WritePage(ctx, path, args.Content, expected)
			if err != nil {
				return mcp.Result{}, err
			}
			return note(doc, c.Budget), nil
		},
	}
}

// parseGuarded reads a path and the guard of a change to it, nil where there
// is none.
func parseGuarded(path string, modified *string) (stratum.Path, *time.Time, error) {
	p, err := stratum.ParsePath(path)
	if err != nil || modified == nil {
		return p, nil, err
	}
	expected, err := stratum.ParseTime(*modified)
	return p, &expected, err
}
