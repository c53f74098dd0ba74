package watch

import (
	"slices"
	"strings"

	"stratum"
)

// pathsMax is how many paths an event names; more are a Rescan.
const pathsMax = 1000

// batch gathers what happened until it is handed out.
type batch struct {
	paths    map[stratum.Path]struct{}
	scan     bool
	troubles []string
	changes  int // counts calls, so that the caller sees whether there was one
}

func (b *batch) empty() bool { return len(b.paths) == 0 && !b.scan && len(b.troubles) == 0 }

func (b *batch) path(p stratum.Path) {
	b.changes++
	if b.paths == nil {
		b.paths = make(map[stratum.Path]struct{})
	}
	b.paths[p] = struct{}{}
	if len(b.paths) > pathsMax {
		b.paths = nil
		b.scan = true
	}
}

func (b *batch) rescan() {
	b.changes++
	b.scan = true
}

func (b *batch) trouble(text string) {
	b.changes++
	if !slices.Contains(b.troubles, text) {
		b.troubles = append(b.troubles, text)
	}
}

// into empties the batch into an event, together with one that has not been
// received yet.
func (b *batch) into(waiting Event) Event {
	for _, p := range waiting.Paths {
		b.path(p)
	}
	e := Event{Rescan: b.scan || waiting.Rescan}
	for p := range b.paths {
		e.Paths = append(e.Paths, p)
	}
	slices.SortFunc(e.Paths, stratum.Path.Compare)
	if waiting.Trouble != "" && !slices.Contains(b.troubles, waiting.Trouble) {
		b.troubles = slices.Insert(b.troubles, 0, waiting.Trouble)
	}
	e.Trouble = strings.Join(b.troubles, " ")
	*b = batch{changes: b.changes}
	return e
}

func (e Event) empty() bool { return len(e.Paths) == 0 && !e.Rescan && e.Trouble == "" }
