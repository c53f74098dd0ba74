package store

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/google/uuid"

	"stratum"
)

// Row is what the database says of one block of a page: all that matching it
// with the note's blocks needs.
type Row struct {
	ID, Content  string
	Parent, Left string // ids; "" is none
}

// AssignIDs gives each block of the note at p its id (decision 6.8): that of
// the file, unless an earlier block of the note or another page has it; else
// that of the row which is the same block; else one that follows from path,
// text and occurrence. rows are the page's own, in document order. taken
// returns those of the ids, none of them of rows, that another page holds; it
// may be called several times. The answer depends on nothing else, so that
// two processes agree, and giving rows made from an answer gives it again.
func AssignIDs(p stratum.Path, blocks []stratum.Block, rows []Row, taken func(ids []string) map[string]bool) []string {
	if ids := unchanged(blocks, rows); ids != nil {
		return ids
	}
	m := newMatcher(blocks, rows)
	m.claim(taken)
	m.matchText()
	m.matchSimilar()
	m.matchPlace()
	m.derive(p, taken)
	return m.ids
}

// unchanged returns the rows' ids when they are the note's blocks one by one,
// which nearly every call finds; else nil.
func unchanged(blocks []stratum.Block, rows []Row) []string {
	if len(blocks) != len(rows) {
		return nil
	}
	for i := range blocks {
		b, r := &blocks[i], &rows[i]
		if clean(b.Content) != r.Content || !validID(r.ID) || (b.ID != "" && b.ID != r.ID) {
			return nil
		}
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	return ids
}

// matcher pairs blocks with rows.
type matcher struct {
	blocks []stratum.Block
	texts  []string // the blocks' contents as rows hold them
	rows   []Row
	ids    []string // by block; "" until it has one
	row    []int    // by block: the row it was paired with, -1
	gone   []bool   // by row: paired, or of no use
}

func newMatcher(blocks []stratum.Block, rows []Row) *matcher {
	m := &matcher{
		blocks: blocks,
		texts:  make([]string, len(blocks)),
		rows:   rows,
		ids:    make([]string, len(blocks)),
		row:    make([]int, len(blocks)),
		gone:   make([]bool, len(rows)),
	}
	for i := range blocks {
		m.texts[i] = clean(blocks[i].Content)
		m.row[i] = -1
	}
	for j := range rows {
		m.gone[j] = !validID(rows[j].ID)
	}
	return m
}

func (m *matcher) pair(block, row int) {
	m.ids[block], m.row[block], m.gone[row] = m.rows[row].ID, row, true
}

func (m *matcher) open(block int) bool { return m.ids[block] == "" }

// claim gives blocks the ids that the file states.
func (m *matcher) claim(taken func([]string) map[string]bool) {
	first := map[string]int{} // the block that states an id first
	for i := range m.blocks {
		id := m.blocks[i].ID
		if !validID(id) {
			continue
		}
		if _, dup := first[id]; !dup {
			first[id] = i
		}
	}
	if len(first) == 0 {
		return
	}
	for j := range m.rows {
		if i, ok := first[m.rows[j].ID]; ok && !m.gone[j] {
			m.pair(i, j)
		}
	}
	var foreign []string
	for i := range m.blocks {
		if id := m.blocks[i].ID; id != "" && m.open(i) {
			if at, ok := first[id]; ok && at == i {
				foreign = append(foreign, id)
			}
		}
	}
	if len(foreign) == 0 {
		return
	}
	held := taken(foreign)
	for _, id := range foreign {
		if !held[id] {
			m.ids[first[id]] = id
		}
	}
}

// matchText pairs blocks and rows of the same text: from the start and from
// the end of the page as far as they agree, so that a change among repeated
// texts moves no id, then the rest by order.
func (m *matcher) matchText() {
	n, k := len(m.blocks), len(m.rows)
	head := 0
	for head < min(n, k) && m.agree(head, head) {
		head++
	}
	for tail := 1; tail <= min(n, k)-head && m.agree(n-tail, k-tail); tail++ {
	}
	byText := map[string][]int{}
	for j := range m.rows {
		if !m.gone[j] {
			byText[m.rows[j].Content] = append(byText[m.rows[j].Content], j)
		}
	}
	for i, text := range m.texts {
		if js := byText[text]; m.open(i) && len(js) > 0 {
			m.pair(i, js[0])
			byText[text] = js[1:]
		}
	}
}

// agree reports whether block and row are a pair, or makes them one when both
// are free and of the same text.
func (m *matcher) agree(block, row int) bool {
	if !m.open(block) {
		return m.row[block] == row
	}
	if m.gone[row] || m.texts[block] != m.rows[row].Content {
		return false
	}
	m.pair(block, row)
	return true
}

// matchPlace pairs what is left by position: a row under the same parent
// after the same sibling is the block, rewritten.
func (m *matcher) matchPlace() {
	type place struct{ parent, left string }
	free := map[place]int{}
	for j, row := range slices.Backward(m.rows) {
		if !m.gone[j] {
			free[place{row.Parent, row.Left}] = j
		}
	}
	if len(free) == 0 {
		return
	}
	for i := range m.blocks {
		if !m.open(i) {
			continue
		}
		parent, known := m.idOf(m.blocks[i].Parent)
		left, knownLeft := m.idOf(m.blocks[i].Left)
		if !known || !knownLeft {
			continue
		}
		if j, ok := free[place{parent, left}]; ok && !m.gone[j] {
			m.pair(i, j)
		}
	}
}

// idOf returns the id of the block at index, "" for none; not ok when it has
// none yet.
func (m *matcher) idOf(index int) (id string, ok bool) {
	if index < 0 {
		return "", true
	}
	return m.ids[index], m.ids[index] != ""
}

// derive makes ids for the blocks that have none: of equal texts the first
// has occurrence 0. Where a made id stands already, the next attempt counts.
func (m *matcher) derive(p stratum.Path, taken func([]string) map[string]bool) {
	used := make(map[string]bool, len(m.ids))
	for _, id := range m.ids {
		used[id] = true
	}
	own := make(map[string]bool, len(m.rows))
	for j := range m.rows {
		own[m.rows[j].ID] = true
	}
	for _, b := range m.blocks {
		used[b.ID] = true // a stated id is never made
	}

	seen := map[string]uint64{}
	var todo []derivation
	for i, text := range m.texts {
		if m.open(i) {
			todo = append(todo, derivation{block: i, occurrence: seen[text]})
		}
		seen[text]++
	}
	for len(todo) > 0 {
		var ask []string
		for i := range todo {
			d := &todo[i]
			for {
				d.id = deriveID(p, m.texts[d.block], d.occurrence, d.attempt)
				d.attempt++
				if !used[d.id] {
					break
				}
			}
			used[d.id] = true
			if !own[d.id] {
				ask = append(ask, d.id)
			}
		}
		var held map[string]bool
		if len(ask) > 0 {
			held = taken(ask)
		}
		again := todo[:0]
		for _, d := range todo {
			if held[d.id] {
				again = append(again, d)
				continue
			}
			m.ids[d.block] = d.id
		}
		todo = again
	}
}

type derivation struct {
	block               int
	occurrence, attempt uint64
	id                  string
}

// deriveID returns a UUID in the shape of version 4 that follows from its
// arguments.
func deriveID(p stratum.Path, text string, occurrence, attempt uint64) string {
	buf := make([]byte, 0, len(p.String())+len(text)+32)
	buf = append(buf, p.String()...)
	buf = append(buf, 0)
	buf = append(buf, text...)
	buf = append(buf, 0)
	buf = binary.BigEndian.AppendUint64(buf, occurrence)
	buf = binary.BigEndian.AppendUint64(buf, attempt)
	sum := sha256.Sum256(buf)
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// validID reports whether id is a lower-case UUID, as the app writes them.
// The app reads a damaged id as the nil UUID, so that one is none.
func validID(id string) bool {
	if len(id) != 36 || id == nilID {
		return false
	}
	for i := range len(id) {
		c := id[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}

const nilID = "00000000-0000-0000-0000-000000000000"
