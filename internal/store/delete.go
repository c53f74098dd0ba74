package store

import (
	"context"
	"fmt"
	"math"

	"stratum"
)

// Delete deletes all rows of the pages, in one transaction. A page without
// rows is fine.
func (s *Store) Delete(ctx context.Context, paths ...stratum.Path) error {
	if len(paths) == 0 {
		return nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.ensureIndices(ctx); err != nil {
		return fmt.Errorf("make indices: %w", classify(err))
	}
	err = s.transact(ctx, func(quiet context.Context) error {
		for _, p := range paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.exec(quiet, &s.writes.deleteBlocks, p.String(), int64(math.MinInt64)); err != nil {
				return err
			}
			if err := s.exec(quiet, &s.writes.deletePage, p.String()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete pages: %w", classify(err))
	}
	return nil
}
