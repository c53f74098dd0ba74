package mcp

import "sync"

// order lets the calls of one connection run as if one after the other
// (decision 1.9): reads between two mutations share a turn and run side by
// side, a mutation has a turn of its own, and turns follow each other.
type order struct {
	mu   sync.Mutex // guards last and every turn's fields
	last *turn
}

type turn struct {
	order     *order
	exclusive bool
	ready     <-chan struct{} // closed when the turn before is over; nil for the first
	idle      chan struct{}   // closed when the turn is over
	members   int             // calls that have not left
	sealed    bool            // a later turn exists, so nobody joins any more
}

// enter gives a call its place. The call waits for it, runs, and leaves
// exactly once.
func (o *order) enter(exclusive bool) *turn {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.last
	if t == nil || exclusive || t.exclusive {
		t = &turn{order: o, exclusive: exclusive, idle: make(chan struct{})}
		if before := o.last; before != nil {
			t.ready = before.idle
			before.sealed = true
			before.endIfOver()
		}
		o.last = t
	}
	t.members++
	return t
}

// wait blocks until every earlier turn is over.
func (t *turn) wait() {
	if t.ready != nil {
		<-t.ready
	}
}

// leave ends a call's part in the turn. It must come after wait.
func (t *turn) leave() {
	t.order.mu.Lock()
	defer t.order.mu.Unlock()
	t.members--
	t.endIfOver()
}

// endIfOver is called with the order's lock held.
func (t *turn) endIfOver() {
	if t.sealed && t.members == 0 {
		close(t.idle)
	}
}
