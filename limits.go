package stratum

import "time"

// Limits of contract §9 and §11 and their defaults, under the contract's
// names. Those that an operator may set are read by cmd/stratum-mcp from the
// environment variable of the same name.
const (
	// ResponseMax is MCP_RESPONSE_MAX: the bytes of one tool's whole answer,
	// envelope included (§11, decision 7.1).
	ResponseMax = 1 << 20
	// BodyMax is MCP_BODY_MAX: the bytes of one inbound message (§11).
	BodyMax = 2 << 20
	// PageLimitMax is MCP_PAGE_LIMIT_MAX: the most items a page of a list has (§11).
	PageLimitMax = 1000
	// PathMax is MCP_PATH_MAX: the most characters a path argument has (§11).
	PathMax = 4096
	// ComponentMax is the most bytes one component of a path has (decision 5.3).
	ComponentMax = 255
	// TokenMaxScoreMatches is MCP_TOKEN_MAX_SCORE_MATCHES: how far search
	// results can be paged (§11, decision 6.4).
	TokenMaxScoreMatches = 5000
	// BatchMax is the most elements of a JSON-RPC batch (decision 1.8).
	BatchMax = 100
	// SnippetMax is the most characters of a search hit's snippet (decision 6.4).
	SnippetMax = 200
	// ContextMax is the most characters of a backlink's context (decision 6.5).
	ContextMax = 500
	// MentionMin is the fewest characters of a name that counts as an
	// unlinked mention (decision 6.5).
	MentionMin = 3
)

const (
	// IndexWait is MCP_INDEX_WAIT: how long a call that needs the index waits
	// for it before VaultLocked (decision 8.2).
	IndexWait = 10 * time.Second
	// WriteWait is MCP_WRITE_WAIT: how long a writer waits for the write lock
	// or a rebuild before VaultLocked (decision 8.5).
	WriteWait = 30 * time.Second
	// ScanInterval is the longest time between two reconciling scans while
	// the server runs (decision 8.4).
	ScanInterval = 60 * time.Second
)
