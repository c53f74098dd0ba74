package store

// schema makes what the desktop app makes at every open, and nothing else
// (decision 8.6).
var schema = []struct{ name, ddl string }{
	{"blocks", `CREATE TABLE IF NOT EXISTS blocks (
	id TEXT PRIMARY KEY,
	page_path TEXT NOT NULL,
	content TEXT NOT NULL DEFAULT '',
	parent_id TEXT,
	left_id TEXT,
	properties TEXT NOT NULL DEFAULT '{}',
	marker TEXT,
	priority TEXT,
	collapsed INTEGER NOT NULL DEFAULT 0,
	heading_level INTEGER,
	created_at TEXT NOT NULL,
	modified_at TEXT NOT NULL
)`},
	{"pages", `CREATE TABLE IF NOT EXISTS pages (
	path TEXT PRIMARY KEY,
	title TEXT,
	frontmatter TEXT NOT NULL DEFAULT '{}',
	block_count INTEGER NOT NULL DEFAULT 0,
	created_at TEXT NOT NULL,
	modified_at TEXT NOT NULL
)`},
	{"links", `CREATE TABLE IF NOT EXISTS links (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	source_block TEXT NOT NULL,
	link_type TEXT NOT NULL,
	target_page TEXT COLLATE NOCASE,
	target_block TEXT,
	FOREIGN KEY (source_block) REFERENCES blocks(id) ON DELETE CASCADE
)`},
	{"idx_blocks_page", `CREATE INDEX IF NOT EXISTS idx_blocks_page ON blocks(page_path)`},
	{"idx_blocks_parent", `CREATE INDEX IF NOT EXISTS idx_blocks_parent ON blocks(parent_id)`},
	{"idx_blocks_marker", `CREATE INDEX IF NOT EXISTS idx_blocks_marker ON blocks(marker)`},
	{"idx_links_source", `CREATE INDEX IF NOT EXISTS idx_links_source ON links(source_block)`},
	{"idx_links_target_page", `CREATE INDEX IF NOT EXISTS idx_links_target_page ON links(target_page)`},
	{"idx_links_target_block", `CREATE INDEX IF NOT EXISTS idx_links_target_block ON links(target_block)`},
}

// lateIndices are those that a bulk load into an empty database makes last.
// idx_blocks_page is not among them: pages come in order, so it costs little,
// and reading a page's blocks while the load runs needs it.
var lateIndices = []string{
	"idx_blocks_parent", "idx_blocks_marker",
	"idx_links_source", "idx_links_target_page", "idx_links_target_block",
}
