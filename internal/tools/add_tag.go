package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/markdown"
	"stratum/internal/mcp"
)

// tagArgs are the arguments of kb_add_tag and kb_remove_tag.
type tagArgs struct {
	Path string `json:"path"`
	Tag  string `json:"tag"`
}

// tagAnswer is their answer, with the flag for a tag that had to be cut.
type tagAnswer struct {
	stratum.TagOperationResult
	Truncated bool `json:"truncated,omitempty"`
}

func addTag(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_add_tag",
		Description: "Adds a tag to a note's frontmatter and leaves everything else in the file as it is. A note that has the tag already, inline as #tag too, stays untouched (applied: 0). " +
			"Use it rather than kb_write_page to organize notes. kb_autocomplete with kind tag shows the tags in use.",
		Annotations: refreshes,
		Scope:       stratum.ScopeOrganize,
		Mutates:     true,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			path, tag, err := decodeTag(c)
			if err != nil {
				return mcp.Result{}, err
			}
			done, err := k.AddTag(ctx, path, tag)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodeTag(done, c.Budget), nil
		},
	}
}

func decodeTag(c *mcp.Call) (path stratum.Path, tag string, err error) {
	args, err := decode[tagArgs](c)
	if err != nil {
		return path, "", err
	}
	if path, err = stratum.ParsePath(args.Path); err != nil {
		return path, "", err
	}
	tag, err = markdown.CleanTag(args.Tag)
	return path, tag, err
}

func encodeTag(done stratum.TagOperationResult, budget int) mcp.Result {
	a := tagAnswer{TagOperationResult: done}
	return answerCut(item{&a, &a.Tag, &a.Truncated}, budget)
}
