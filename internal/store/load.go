package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"stratum"
)

// stored is what the database holds of a page.
type stored struct {
	found  bool // there is a row of pages
	page   pageRow
	blocks []blockRow
	links  []linkRow
}

// rows returns the blocks as matching needs them.
func (st *stored) rows() []Row {
	rows := make([]Row, len(st.blocks))
	for i := range st.blocks {
		b := &st.blocks[i]
		rows[i] = Row{ID: b.id, Content: b.content, Parent: b.parent, Left: b.left}
	}
	return rows
}

// load reads a page's rows through the writer.
func (s *Store) load(ctx context.Context, p stratum.Path) (*stored, error) {
	st := &stored{}
	var r reader
	err := s.query(ctx, &s.writes.page, func(rows *sql.Rows) error {
		st.found = true
		return r.page(rows, &st.page)
	}, p.String())
	if err != nil {
		return nil, fmt.Errorf("read page: %w", err)
	}
	ordinal := map[string]int{}
	err = s.query(ctx, &s.writes.blocks, func(rows *sql.Rows) error {
		var b blockRow
		if err := r.block(rows, &b); err != nil {
			return err
		}
		ordinal[b.id] = len(st.blocks)
		st.blocks = append(st.blocks, b)
		return nil
	}, p.String())
	if err != nil {
		return nil, fmt.Errorf("read blocks: %w", err)
	}
	if len(st.blocks) == 0 {
		return st, nil
	}
	err = s.query(ctx, &s.writes.links, func(rows *sql.Rows) error {
		var l linkRow
		var source string
		if err := r.link(rows, &source, &l); err != nil {
			return err
		}
		l.block = ordinal[source]
		st.links = append(st.links, l)
		return nil
	}, p.String())
	if err != nil {
		return nil, fmt.Errorf("read links: %w", err)
	}
	return st, nil
}

// holders returns the pages that hold those of ids that stand in the database.
func (s *Store) holders(ctx context.Context, st *statement, ids []string) (map[string]string, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	var held map[string]string
	err = s.query(ctx, st, func(rows *sql.Rows) error {
		var id, page string
		if err := rows.Scan(&id, &page); err != nil {
			return err
		}
		if held == nil {
			held = map[string]string{}
		}
		held[id] = page
		return nil
	}, string(list))
	if err != nil {
		return nil, fmt.Errorf("look up ids: %w", err)
	}
	return held, nil
}
