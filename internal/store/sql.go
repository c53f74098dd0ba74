package store

// The statements that read and write a page; ?1 is its path where there is
// one.
const (
	sqlPage = `SELECT title, frontmatter, block_count, created_at, modified_at FROM pages WHERE path = ?1`

	sqlBlocks = `SELECT rowid, id, content, parent_id, left_id, properties, marker, priority,
	collapsed, heading_level, created_at, modified_at
FROM blocks WHERE page_path = ?1 ORDER BY rowid`

	sqlLinks = `SELECT links.id, links.source_block, links.link_type, links.target_page, links.target_block
FROM blocks CROSS JOIN links ON links.source_block = blocks.id
WHERE blocks.page_path = ?1 ORDER BY blocks.rowid, links.id`

	sqlHolders = `SELECT id, page_path FROM blocks WHERE id IN (SELECT value FROM json_each(?1))`

	sqlPutPage = `INSERT INTO pages (path, title, frontmatter, block_count, created_at, modified_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (path) DO UPDATE SET title = ?2, frontmatter = ?3, block_count = ?4, created_at = ?5, modified_at = ?6`

	sqlInsertBlock = `INSERT INTO blocks (page_path, id, content, parent_id, left_id, properties, marker, priority,
	collapsed, heading_level, created_at, modified_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`

	sqlUpdateBlock = `UPDATE blocks SET content = ?3, parent_id = ?4, left_id = ?5, properties = ?6, marker = ?7,
	priority = ?8, collapsed = ?9, heading_level = ?10, created_at = ?11, modified_at = ?12
WHERE id = ?2 AND page_path = ?1`

	sqlDeleteBlocks = `DELETE FROM blocks WHERE page_path = ?1 AND rowid >= ?2`
	sqlDeletePage   = `DELETE FROM pages WHERE path = ?1`

	sqlInsertLink = `INSERT INTO links (source_block, link_type, target_page, target_block) VALUES (?1, ?2, ?3, ?4)`
	sqlDeleteLink = `DELETE FROM links WHERE id = ?1`

	sqlDataVersion = `PRAGMA data_version`
)

type writeStatements struct {
	page, blocks, links, holders      statement
	putPage, insertBlock, updateBlock statement
	deleteBlocks, deletePage          statement
	insertLink, deleteLink            statement
	dataVersion, indices, anyPage     statement
}

func (w *writeStatements) texts() map[*statement]string {
	return map[*statement]string{
		&w.page: sqlPage, &w.blocks: sqlBlocks, &w.links: sqlLinks, &w.holders: sqlHolders,
		&w.putPage: sqlPutPage, &w.insertBlock: sqlInsertBlock, &w.updateBlock: sqlUpdateBlock,
		&w.deleteBlocks: sqlDeleteBlocks, &w.deletePage: sqlDeletePage,
		&w.insertLink: sqlInsertLink, &w.deleteLink: sqlDeleteLink,
		&w.dataVersion: sqlDataVersion, &w.indices: sqlIndices, &w.anyPage: sqlAnyPage,
	}
}
