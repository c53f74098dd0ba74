package store

import (
	"context"
	"database/sql"
	"fmt"
	"hash/maphash"
	"iter"

	"stratum"
)

const (
	sqlAllPages = `SELECT path, title, frontmatter, block_count, created_at, modified_at FROM pages ORDER BY path`

	sqlAllBlocks = `SELECT page_path, id, content, parent_id, left_id, properties, marker, priority,
	heading_level, created_at, modified_at
FROM blocks ORDER BY page_path, rowid`

	sqlAllLinks = `SELECT source_block, link_type, target_page, target_block FROM links`
)

// Digests yields the digest of every page that has rows, ordered by path, as
// of one moment: what a verifier compares with [DigestOf] of the notes to
// find rows that are missing, too many, different or damaged. All rows are
// read before the first digest is yielded, in about 10 µs a block, and some
// 30 bytes a block are held until then. Rows under names that are no note's
// path are passed over. The sequence ends after the first error.
func (s *Store) Digests(ctx context.Context) iter.Seq2[PageDigest, error] {
	return func(yield func(PageDigest, error) bool) {
		v := &verifier{s: s, seed: maphash.MakeSeed(), places: map[uint64]place{}}
		if err := v.read(ctx); err != nil {
			yield(PageDigest{}, fmt.Errorf("read digests: %w", classify(err)))
			return
		}
		for i, d := range v.found {
			if d.Path.IsZero() {
				continue
			}
			d.Links = v.links[i].hash()
			if !yield(d, nil) {
				return
			}
		}
	}
}

// verifier reads the three tables: pages and blocks side by side, by path,
// then links as they come.
type verifier struct {
	s      *Store
	pages  cursor[pageRow]
	blocks cursor[blockRow]
	digest digester

	found []PageDigest // by path
	links []linkSum    // of each found page

	// places is where each block stands, by the hash of its id: a fraction of
	// what the ids themselves would take. That two hashes meet is as likely
	// as a bad bit, and would show as a page that differs.
	seed   maphash.Seed
	places map[uint64]place
}

// place is a block's page, an index into found, and its ordinal there.
type place struct{ page, ordinal uint32 }

func (v *verifier) read(ctx context.Context) error {
	conn, err := v.s.readers.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	quiet := context.WithoutCancel(ctx)
	if _, err := conn.ExecContext(quiet, "BEGIN"); err != nil {
		return err
	}
	defer conn.ExecContext(quiet, "ROLLBACK") //nolint:errcheck // a read has nothing to lose
	if err := v.readPages(ctx, quiet, conn); err != nil {
		return err
	}
	return v.readLinks(ctx, quiet, conn)
}

func (v *verifier) readPages(ctx, quiet context.Context, conn *sql.Conn) error {
	defer v.pages.close()
	defer v.blocks.close()
	var r reader
	if err := v.pages.open(quiet, v.s, conn, sqlAllPages, r.pageLine); err != nil {
		return err
	}
	if err := v.blocks.open(quiet, v.s, conn, sqlAllBlocks, r.blockLine); err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		path, more := v.next()
		if !more {
			return nil
		}
		if err := v.readPage(path); err != nil {
			return err
		}
	}
}

// next returns the first path that is not done.
func (v *verifier) next() (path string, more bool) {
	switch {
	case v.pages.more && v.blocks.more:
		return min(v.pages.path.s, v.blocks.path.s), true
	case v.pages.more:
		return v.pages.path.s, true
	default:
		return v.blocks.path.s, v.blocks.more
	}
}

// readPage reads the rows of the page at path, the next one.
func (v *verifier) readPage(path string) error {
	v.digest.reset()
	if v.pages.at(path) {
		p := &v.pages.row
		frontmatter, ok := canonicalFrontmatter(p.frontmatter)
		v.digest.page(p, frontmatter, ok && !p.damaged && validStamp(p.created) && validStamp(p.modified))
		if err := v.pages.step(); err != nil {
			return err
		}
	}
	at := place{page: uint32(len(v.found))}
	for v.blocks.at(path) {
		b := &v.blocks.row
		properties, ok := canonicalProperties(b.properties)
		ok = ok && !b.damaged && validID(b.id) && validStamp(b.created) && validStamp(b.modified)
		v.digest.block(b, v.ordinal(b.parent, at.page), v.ordinal(b.left, at.page), properties, ok)
		v.places[maphash.String(v.seed, b.id)] = at
		at.ordinal++
		if err := v.blocks.step(); err != nil {
			return err
		}
	}
	p, err := stratum.ParsePath(path)
	if err != nil || p.String() != path {
		p = stratum.Path{}
	}
	v.found = append(v.found, v.digest.sum(p))
	return nil
}

// ordinal returns the ordinal of the block with the id, -1 for "" and -2 for
// one that does not stand before in the page.
func (v *verifier) ordinal(id string, page uint32) int {
	if id == "" {
		return -1
	}
	if at, ok := v.places[maphash.String(v.seed, id)]; ok && at.page == page {
		return int(at.ordinal)
	}
	return -2
}

func (v *verifier) readLinks(ctx, quiet context.Context, conn *sql.Conn) error {
	v.links = make([]linkSum, len(v.found))
	if err := v.s.hooked(sqlAllLinks); err != nil {
		return err
	}
	rows, err := conn.QueryContext(quiet, sqlAllLinks)
	if err != nil {
		return err
	}
	defer rows.Close()
	var r reader
	var l linkRow
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		source, err := r.linkLine(rows, &l)
		if err != nil {
			return err
		}
		at, ok := v.places[maphash.String(v.seed, source)]
		if !ok {
			continue // no block's: nobody can see it
		}
		l.block = int(at.ordinal)
		v.links[at.page].add(&v.digest, &l)
	}
	return rows.Err()
}

// cursor stands on a row of a query whose first column is a page's path.
type cursor[T any] struct {
	rows *sql.Rows
	scan func(*sql.Rows, *text, *T) error
	more bool
	path text
	row  T
}

func (c *cursor[T]) open(ctx context.Context, s *Store, conn *sql.Conn, query string, scan func(*sql.Rows, *text, *T) error) (err error) {
	if err := s.hooked(query); err != nil {
		return err
	}
	if c.rows, err = conn.QueryContext(ctx, query); err != nil {
		return err
	}
	c.scan = scan
	return c.step()
}

// at reports whether the cursor stands on a row of the page at path.
func (c *cursor[T]) at(path string) bool { return c.more && c.path.s == path }

// step goes to the next row.
func (c *cursor[T]) step() error {
	if c.more = c.rows.Next(); !c.more {
		return c.rows.Err()
	}
	return c.scan(c.rows, &c.path, &c.row)
}

func (c *cursor[T]) close() {
	if c.rows != nil {
		c.rows.Close()
	}
}
