package stratum

// The shapes of the tools' answers (contract §4 and §5). Keys that the
// contract shows are always present, null where there is no value
// (decision 1.5); keys that we add carry omitempty.

// NoteDocument is the full content model of a note (§4.1).
type NoteDocument struct {
	Path         string         `json:"path"`
	Slug         string         `json:"slug"`
	Title        string         `json:"title"`
	Content      string         `json:"content"`
	Frontmatter  map[string]any `json:"frontmatter"` // never nil
	Links        []NoteLink     `json:"links"`       // never nil
	Tags         []string       `json:"tags"`        // never nil
	BlockCount   int            `json:"block_count"`
	ModifiedAt   string         `json:"modified_at"`
	Encoding     string         `json:"encoding,omitempty"`      // "invalid-utf-8", or "" (decision 5.2)
	Truncated    bool           `json:"truncated,omitempty"`     // decision 7.1
	ContentBytes int            `json:"content_bytes,omitempty"` // whole content's bytes when truncated
}

// EncodingInvalid is the Encoding of a note that is not valid UTF-8.
const EncodingInvalid = "invalid-utf-8"

// NoteLink is one wiki-link of a [NoteDocument] (decision 5.8).
type NoteLink struct {
	Target      string  `json:"target"`
	DisplayText *string `json:"display_text"`
	BlockID     *string `json:"block_id"`
	Position    int     `json:"position"`
}

// PageRef names a note (§5.12).
type PageRef struct {
	Path  string `json:"path"`
	Slug  string `json:"slug"`
	Title string `json:"title"`
}

// PageSummary is one row of kb_list_pages (§5.2).
type PageSummary struct {
	Path       string `json:"path"`
	Slug       string `json:"slug"`
	Title      string `json:"title"`
	BlockCount int    `json:"block_count"`
	ModifiedAt string `json:"modified_at"`
}

// SearchHit is one result of kb_search and kb_search_by_tag (§4.3). BlockID
// is nil for a note without blocks (decision 6.4).
type SearchHit struct {
	BlockID   *string `json:"block_id"`
	Content   string  `json:"content"`
	PagePath  string  `json:"page_path"`
	Snippet   string  `json:"snippet"`
	Score     float64 `json:"score"`
	Truncated bool    `json:"truncated,omitempty"` // content was cut (decision 7.1)
}

// Backlink is one inbound link or mention (§4.4). SourceID is nil when the
// link stands in the frontmatter of a note without blocks (decision 6.5).
type Backlink struct {
	SourceID   *string `json:"source_id"`
	SourcePage string  `json:"source_page"`
	Context    string  `json:"context"`
	IsLinked   bool    `json:"is_linked"`
}

// GraphData is the answer of kb_graph (§4.5). NodeCount and EdgeCount are the
// totals before any truncation (decision 6.6).
type GraphData struct {
	Nodes     []GraphNode `json:"nodes"` // never nil
	Edges     []GraphEdge `json:"edges"` // never nil
	NodeCount int         `json:"node_count"`
	EdgeCount int         `json:"edge_count"`
	VaultPath string      `json:"vault_path"`
	Truncated bool        `json:"truncated,omitempty"`
}

// GraphNode is a note in the graph; its ID is its slug (decision 6.6).
type GraphNode struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Path   string   `json:"path"`
	Tags   []string `json:"tags"`   // never nil
	Degree int      `json:"degree"` // edges in the answer that touch the node
}

// GraphEdge is a resolved link; Source and Target are node ids.
type GraphEdge struct {
	Source string  `json:"source"`
	Target string  `json:"target"`
	Label  *string `json:"label"` // the link's shown text
}

// Completion is one item of kb_autocomplete (§5.9).
type Completion struct {
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// TagOperationResult is the answer of kb_add_tag and kb_remove_tag (§4.7).
type TagOperationResult struct {
	Path    string `json:"path"`
	Success bool   `json:"success"`
	Tag     string `json:"tag"`
	Action  string `json:"action"`  // "add" or "remove"
	Applied int    `json:"applied"` // changes made; 0 left the file untouched
}

// IndexStatus is the answer of kb_index_status and kb_reindex (§4.8).
type IndexStatus struct {
	IndexFresh    bool    `json:"index_fresh"`
	IndexedPages  int     `json:"indexed_pages"`
	TotalPages    int     `json:"total_pages"`
	IndexedBlocks int     `json:"indexed_blocks"`
	LastIndexedAt *string `json:"last_indexed_at"`
}

// VaultInfo is the answer of kb_vault_info (§4.6).
type VaultInfo struct {
	VaultPath     string  `json:"vault_path"`
	PageCount     int     `json:"page_count"`
	BlockCount    int     `json:"block_count"`
	IndexFresh    bool    `json:"index_fresh"`
	LastIndexedAt *string `json:"last_indexed_at"`
}
