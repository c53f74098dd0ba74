package tools

import (
	"context"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/mcp"
)

func removeTag(k *kb.KB) mcp.Tool {
	return mcp.Tool{
		Name: "kb_remove_tag",
		Description: "Removes a tag from a note: from its frontmatter and wherever #tag stands in its text outside code. Longer tags and children (tag/sub) stay, and so does everything else in the file. " +
			"applied counts the places; 0 means that the note did not have the tag and is untouched.",
		Annotations: overrides,
		Scope:       stratum.ScopeOrganize,
		Mutates:     true,
		Call: func(ctx context.Context, c *mcp.Call) (mcp.Result, error) {
			path, tag, err := decodeTag(c)
			if err != nil {
				return mcp.Result{}, err
			}
			done, err := k.RemoveTag(ctx, path, tag)
			if err != nil {
				return mcp.Result{}, err
			}
			return encodeTag(done, c.Budget), nil
		},
	}
}
