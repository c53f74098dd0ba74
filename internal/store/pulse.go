package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// pulse is a connection that does nothing but notice the commits of all
// others: those of this store's writer, of another server and of the app.
type pulse struct {
	mu   sync.Mutex // guards conn, which one goroutine may use at a time
	conn *sql.Conn  // made when first asked
}

// Generation returns a number that is another one after anybody has committed
// to the database: what was read in one generation holds as long as it lasts.
// It costs a fraction of a query and waits for no writer.
func (s *Store) Generation(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	ctx = context.WithoutCancel(ctx) // as short as it is
	s.pulse.mu.Lock()
	defer s.pulse.mu.Unlock()
	if s.pulse.conn == nil {
		conn, err := s.readers.Conn(ctx)
		if err != nil {
			return 0, fmt.Errorf("look for commits: %w", classify(err))
		}
		s.pulse.conn = conn
	}
	var n int64
	if err := s.pulse.conn.QueryRowContext(ctx, sqlDataVersion).Scan(&n); err != nil {
		return 0, fmt.Errorf("look for commits: %w", classify(err))
	}
	return n, nil
}

// close gives the connection back.
func (p *pulse) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}
