package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The app's tables and indices, as SQLite reports what it has understood:
// name, type, NOT NULL, default and place in the primary key of each column.
func TestSchemaIsTheApps(t *testing.T) {
	file := dbPath(t)
	open(t, file)
	a := openApp(t, file)

	columns := map[string][]string{
		"blocks": {
			"id|TEXT|0|-|1", "page_path|TEXT|1|-|0", "content|TEXT|1|''|0", "parent_id|TEXT|0|-|0", "left_id|TEXT|0|-|0",
			"properties|TEXT|1|'{}'|0", "marker|TEXT|0|-|0", "priority|TEXT|0|-|0", "collapsed|INTEGER|1|0|0",
			"heading_level|INTEGER|0|-|0", "created_at|TEXT|1|-|0", "modified_at|TEXT|1|-|0",
		},
		"pages": {
			"path|TEXT|0|-|1", "title|TEXT|0|-|0", "frontmatter|TEXT|1|'{}'|0", "block_count|INTEGER|1|0|0",
			"created_at|TEXT|1|-|0", "modified_at|TEXT|1|-|0",
		},
		"links": {
			"id|INTEGER|0|-|1", "source_block|TEXT|1|-|0", "link_type|TEXT|1|-|0", "target_page|TEXT|0|-|0", "target_block|TEXT|0|-|0",
		},
	}
	for table, want := range columns {
		got := a.rows(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)`, table)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("columns of %s (-want +got):\n%s", table, diff)
		}
	}

	wantIndices := []string{
		"idx_blocks_marker|blocks|marker|BINARY", "idx_blocks_page|blocks|page_path|BINARY",
		"idx_blocks_parent|blocks|parent_id|BINARY", "idx_links_source|links|source_block|BINARY",
		"idx_links_target_block|links|target_block|BINARY", "idx_links_target_page|links|target_page|NOCASE",
	}
	gotIndices := a.rows(`SELECT m.name, m.tbl_name, x.name, x.coll FROM sqlite_master m, pragma_index_xinfo(m.name) x
		WHERE m.type = 'index' AND m.sql IS NOT NULL AND x.key ORDER BY m.name`)
	if diff := cmp.Diff(wantIndices, gotIndices); diff != "" {
		t.Errorf("indices (-want +got):\n%s", diff)
	}

	wantKeys := []string{"blocks|source_block|id|CASCADE"}
	if diff := cmp.Diff(wantKeys, a.rows(`SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list('links')`)); diff != "" {
		t.Errorf("foreign keys of links (-want +got):\n%s", diff)
	}

	wantAll := []string{
		"index|idx_blocks_marker", "index|idx_blocks_page", "index|idx_blocks_parent", "index|idx_links_source",
		"index|idx_links_target_block", "index|idx_links_target_page", "index|sqlite_autoindex_blocks_1",
		"index|sqlite_autoindex_pages_1", "table|blocks", "table|links", "table|pages", "table|sqlite_sequence",
	}
	if diff := cmp.Diff(wantAll, a.rows(`SELECT type, name FROM sqlite_master ORDER BY type, name`)); diff != "" {
		t.Errorf("what is in the database (-want +got):\n%s", diff)
	}
	if got := a.rows(`SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_master WHERE name = 'links'`); got[0] != "1" {
		t.Error("links.id does not auto-increment")
	}
	if got := a.rows(`PRAGMA user_version`); got[0] != "0" {
		t.Errorf("user_version is %s, want 0", got[0])
	}
}

func TestPragmas(t *testing.T) {
	s := open(t, dbPath(t))
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "foreign_keys": "1", "synchronous": "1", "busy_timeout": "5000", "mmap_size": "0",
	} {
		var got string
		if err := s.writer.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("writer's %s is %s, want %s", pragma, got, want)
		}
	}
	if _, err := s.readers.ExecContext(t.Context(), `DELETE FROM pages`); err == nil {
		t.Error("a reader could write")
	}
}
