package mcp

import (
	"encoding/json"
	"sync"
	"time"
)

// progressGap is the shortest time between two reports that are neither the
// first nor the last: five a second (decision 2.5).
const progressGap = 200 * time.Millisecond

// progress decides which reports of a call are sent.
type progress struct {
	token json.RawMessage // as the client sent it; nil when it wants no reports

	mu     sync.Mutex // guards the rest
	sent   bool
	last   int // the greatest progress sent
	lastAt time.Time
}

type progressParams struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress int             `json:"progress"`
	Total    int             `json:"total"`
	Message  string          `json:"message,omitempty"`
}

// due reports whether a report is to be sent, and counts it as sent.
func (p *progress) due(done, total int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.sent && (done <= p.last || done < total && now.Sub(p.lastAt) < progressGap) {
		return false
	}
	p.sent, p.last, p.lastAt = true, done, now
	return true
}
