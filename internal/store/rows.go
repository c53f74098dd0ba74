package store

import (
	"database/sql"

	"stratum"
)

// pageRow is a row of pages, blockRow one of blocks and linkRow one of links.
// An empty string stands for NULL where the column allows it.
type pageRow struct {
	title             string
	frontmatter       string
	blockCount        int64
	created, modified string
	damaged           bool // some column holds what the app cannot read
}

type blockRow struct {
	rowid             int64
	id                string
	content           string
	parent, left      string
	properties        string
	marker, priority  string
	collapsed         bool
	headingLevel      int64
	created, modified string
	damaged           bool
}

type linkRow struct {
	rowid       int64
	block       int // ordinal of the source block in the page
	kind        string
	page        string
	targetBlock string
	damaged     bool
}

// linkKind is the only link_type there is.
const linkKind = "page_ref"

// values are the arguments of the statements that write a block.
func (b *blockRow) values(p stratum.Path) []any {
	var level any
	if b.headingLevel != 0 {
		level = b.headingLevel
	}
	collapsed := int64(0)
	if b.collapsed {
		collapsed = 1
	}
	return []any{
		p.String(), b.id, b.content, null(b.parent), null(b.left), b.properties, null(b.marker), null(b.priority),
		collapsed, level, b.created, b.modified,
	}
}

// sameText reports whether a block says the same in both rows, wherever it
// stands.
func sameText(have, want *blockRow) bool {
	return have.content == want.content && have.marker == want.marker && have.priority == want.priority &&
		have.headingLevel == want.headingLevel && sameProperties(have.properties, want.properties)
}

func sameProperties(have, want string) bool {
	if have == want {
		return true
	}
	canonical, ok := canonicalProperties(have)
	return ok && canonical == want
}

// sameBlock reports whether the row have needs no rewriting to be want.
func sameBlock(have, want *blockRow) bool {
	return !have.damaged && sameText(have, want) && have.parent == want.parent && have.left == want.left &&
		have.collapsed == want.collapsed &&
		sameInstant(have.created, want.created) && sameInstant(have.modified, want.modified)
}

// says reports whether the row p needs no rewriting to be want.
func (p pageRow) says(want pageRow) bool {
	if p.damaged || p.title != want.title || p.blockCount != want.blockCount ||
		!sameInstant(p.created, want.created) || !sameInstant(p.modified, want.modified) {
		return false
	}
	if p.frontmatter == want.frontmatter {
		return true
	}
	canonical, ok := canonicalFrontmatter(p.frontmatter)
	return ok && canonical == want.frontmatter
}

func (l linkRow) says(m linkRow) bool {
	return !l.damaged && l.block == m.block && l.kind == m.kind && l.page == m.page && l.targetBlock == m.targetBlock
}

// reader scans rows; its columns are kept between them.
type reader struct {
	t [10]text
	n [3]number
}

// page scans the columns of sqlPage.
func (r *reader) page(rows *sql.Rows, p *pageRow) error {
	title, frontmatter, created, modified, count := &r.t[0], &r.t[1], &r.t[2], &r.t[3], &r.n[0]
	if err := rows.Scan(title, frontmatter, count, created, modified); err != nil {
		return err
	}
	*p = pageRow{
		title: title.s, frontmatter: frontmatter.s, blockCount: count.n, created: created.s, modified: modified.s,
		damaged: anyBad(r.t[:4]) || count.bad,
	}
	return nil
}

// block scans the columns of sqlBlocks.
func (r *reader) block(rows *sql.Rows, b *blockRow) error {
	t, n := &r.t, &r.n
	err := rows.Scan(&n[0], &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &n[1], &n[2], &t[7], &t[8])
	if err != nil {
		return err
	}
	*b = blockRow{
		rowid: n[0].n, id: t[0].s, content: t[1].s, parent: t[2].s, left: t[3].s, properties: t[4].s,
		marker: t[5].s, priority: t[6].s, collapsed: n[1].n != 0, headingLevel: n[2].n, created: t[7].s, modified: t[8].s,
		damaged: anyBad(t[:9]) || n[1].bad || n[2].bad,
	}
	return nil
}

// link scans the columns of sqlLinks.
func (r *reader) link(rows *sql.Rows, source *string, l *linkRow) error {
	id, kind, page, block, rowid := &r.t[0], &r.t[1], &r.t[2], &r.t[3], &r.n[0]
	if err := rows.Scan(rowid, id, kind, page, block); err != nil {
		return err
	}
	*source = id.s
	*l = linkRow{
		rowid: rowid.n, kind: kind.s, page: page.s, targetBlock: block.s,
		damaged: kind.bad || page.bad || block.bad,
	}
	return nil
}

// pageLine scans the columns of sqlAllPages.
func (r *reader) pageLine(rows *sql.Rows, path *text, p *pageRow) error {
	t, count := &r.t, &r.n[0]
	if err := rows.Scan(path, &t[0], &t[1], count, &t[2], &t[3]); err != nil {
		return err
	}
	*p = pageRow{
		title: t[0].s, frontmatter: t[1].s, blockCount: count.n, created: t[2].s, modified: t[3].s,
		damaged: anyBad(t[:4]) || count.bad,
	}
	return nil
}

// blockLine scans the columns of sqlAllBlocks.
func (r *reader) blockLine(rows *sql.Rows, path *text, b *blockRow) error {
	t, level := &r.t, &r.n[0]
	if err := rows.Scan(path, &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], level, &t[7], &t[8]); err != nil {
		return err
	}
	*b = blockRow{
		id: t[0].s, content: t[1].s, parent: t[2].s, left: t[3].s, properties: t[4].s,
		marker: t[5].s, priority: t[6].s, headingLevel: level.n, created: t[7].s, modified: t[8].s,
		damaged: anyBad(t[:9]) || level.bad,
	}
	return nil
}

// linkLine scans the columns of sqlAllLinks.
func (r *reader) linkLine(rows *sql.Rows, l *linkRow) (source string, err error) {
	t := &r.t
	if err := rows.Scan(&t[0], &t[1], &t[2], &t[3]); err != nil {
		return "", err
	}
	*l = linkRow{kind: t[1].s, page: t[2].s, targetBlock: t[3].s, damaged: anyBad(t[:4])}
	return t[0].s, nil
}

func anyBad(columns []text) bool {
	for i := range columns {
		if columns[i].bad {
			return true
		}
	}
	return false
}
