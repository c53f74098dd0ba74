package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"stratum"
)

// rowsOf returns the rows that a note with ids is stored as.
func rowsOf(n *stratum.Note, ids []string) []Row {
	rows := make([]Row, len(ids))
	at := func(i int) string {
		if i < 0 {
			return ""
		}
		return ids[i]
	}
	for i, b := range n.Blocks {
		rows[i] = Row{ID: ids[i], Content: b.Content, Parent: at(b.Parent), Left: at(b.Left)}
	}
	return rows
}

func none([]string) map[string]bool { return nil }

// named numbers the rows of a page r0, r1 and so on, and says which of them
// each block of a later state of the page is; "new" where it is none.
func named(t *testing.T, before, after []string) []string {
	t.Helper()
	p := path(t, "a.md")
	old := outline(before...)
	oldIDs := AssignIDs(p, old.Blocks, nil, none)
	now := outline(after...)
	nowIDs := AssignIDs(p, now.Blocks, rowsOf(old, oldIDs), none)
	out := make([]string, len(nowIDs))
	for i, id := range nowIDs {
		out[i] = "new"
		if j := slices.Index(oldIDs, id); j >= 0 {
			out[i] = fmt.Sprintf("r%d", j)
		}
		if slices.Index(nowIDs, id) != i {
			t.Errorf("two blocks have the id %s", id)
		}
	}
	return out
}

func TestIDsSurviveEdits(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after []string
		want          string
	}{
		{"nothing changed", []string{"a", "  b", "c"}, []string{"a", "  b", "c"}, "r0 r1 r2"},
		{"a block on top", []string{"alpha", "beta"}, []string{"something else", "alpha", "beta"}, "new r0 r1"},
		{"a block in between", []string{"alpha", "beta"}, []string{"alpha", "something else", "beta"}, "r0 new r1"},
		{"a block at the end", []string{"alpha", "beta"}, []string{"alpha", "beta", "gamma"}, "r0 r1 new"},
		{"a block gone", []string{"alpha", "beta", "gamma"}, []string{"alpha", "gamma"}, "r0 r2"},
		{"a word edited", []string{"buy some milk", "beta"}, []string{"buy more milk", "beta"}, "r0 r1"},
		{"rewritten in place", []string{"alpha", "beta", "gamma"}, []string{"alpha", "x", "gamma"}, "r0 r1 r2"},
		{"edited below a new block", []string{"alpha", "buy some milk"}, []string{"alpha", "call Ada", "buy some milk today"}, "r0 new r1"},
		{"edited and moved", []string{"alpha", "buy some milk", "gamma"}, []string{"alpha", "gamma", "buy more milk"}, "r0 r2 r1"},
		{"reordered", []string{"a", "b", "c"}, []string{"c", "a", "b"}, "r2 r0 r1"},
		{"indented", []string{"a", "b", "c"}, []string{"a", "  b", "c"}, "r0 r1 r2"},
		{"equal texts, the first gone", []string{"a", "x", "a"}, []string{"x", "a"}, "r1 r2"},
		{"equal texts, the last gone", []string{"a", "x", "a"}, []string{"a", "x"}, "r0 r1"},
		{"equal texts, one more", []string{"a", "a"}, []string{"a", "a", "a"}, "r0 r1 new"},
		{"equal texts reordered", []string{"a", "x", "a", "y"}, []string{"y", "a", "a", "x"}, "r3 r0 r2 r1"},
		{"empty texts", []string{"", ""}, []string{"", "x", ""}, "r0 new r1"},
		{"all replaced", []string{"one", "two"}, []string{"three", "four"}, "r0 r1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(named(t, tt.before, tt.after), " "); got != tt.want {
				t.Errorf("%v to %v: got %s, want %s", tt.before, tt.after, got, tt.want)
			}
		})
	}
}

func TestStatedIDs(t *testing.T) {
	p := path(t, "a.md")
	fresh := func(lines ...string) []string { return AssignIDs(p, outline(lines...).Blocks, nil, none) }

	got := AssignIDs(p, outline(idX+"|one", idX+"|two", "three").Blocks, nil, none)
	if got[0] != idX || got[1] == idX || got[1] != fresh("one", "two")[1] {
		t.Errorf("a stated id that stands twice: %v", got)
	}
	held := func(ids []string) map[string]bool { return map[string]bool{idX: true} }
	if got := AssignIDs(p, outline(idX+"|one").Blocks, nil, held); got[0] != fresh("one")[0] {
		t.Errorf("an id that another page holds: got %v, want a new one", got)
	}
	// The stated id wins over the row of the same text, which another block may still be.
	rows := []Row{{ID: idY, Content: "one"}, {ID: idX, Content: "two", Left: idY}}
	got = AssignIDs(p, outline("two", idX+"|one").Blocks, rows, none)
	if got[1] != idX || got[0] == idX {
		t.Errorf("stated on another block than the row says: %v", got)
	}
	// A duplicate keeps the id that it was given.
	note := outline(idX+"|one", idX+"|two")
	first := AssignIDs(p, note.Blocks, nil, none)
	edited := outline(idX+"|one", idX+"|two, edited")
	if again := AssignIDs(p, edited.Blocks, rowsOf(note, first), none); again[1] != first[1] {
		t.Errorf("an edit of the duplicate gave it %s, want %s", again[1], first[1])
	}
}

func TestDerivedIDs(t *testing.T) {
	p, q := path(t, "a.md"), path(t, "b.md")
	n := outline("same", "other", "same")
	ids := AssignIDs(p, n.Blocks, nil, none)
	for _, id := range ids {
		u, err := uuid.Parse(id)
		if err != nil || u.Version() != 4 || u.Variant() != uuid.RFC4122 || u.String() != id {
			t.Errorf("%q is no lower-case UUID of version 4", id)
		}
	}
	if ids[0] == ids[2] {
		t.Error("two occurrences of a text have one id")
	}
	if diff := cmp.Diff(ids, AssignIDs(p, n.Blocks, nil, none)); diff != "" {
		t.Errorf("not the same twice:\n%s", diff)
	}
	if other := AssignIDs(q, n.Blocks, nil, none); other[0] == ids[0] {
		t.Error("two pages have one id")
	}
	// A made id that stands elsewhere gives way, and the next attempt too.
	asked := 0
	got := AssignIDs(p, outline("same").Blocks, nil, func(c []string) map[string]bool {
		if asked++; asked > 2 {
			return nil
		}
		return map[string]bool{c[0]: true}
	})
	if asked != 3 || got[0] != deriveID(p, "same", 0, 2) {
		t.Errorf("after two collisions: asked %d times, got %s", asked, got[0])
	}
	// Two releases side by side have to agree, so this never changes.
	if want := "c9ceafe6-f2cb-4450-8390-aec7872d8d08"; ids[0] != want {
		t.Errorf("the first is %s, want %s", ids[0], want)
	}
}

// Whatever is done to a page, its ids are distinct and valid, stated ids are
// kept, and assigning against rows made from them changes nothing.
func FuzzAssignIDs(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(7))
	f.Add(uint64(2), uint8(0), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, before, after uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := path(t, "a.md")
		old, now := randomOutline(r, int(before%40)), randomOutline(r, int(after%40))
		first := AssignIDs(p, old.Blocks, nil, none)
		second := AssignIDs(p, now.Blocks, rowsOf(old, first), none)
		for _, ids := range [][]string{first, second} {
			seen := map[string]bool{}
			for _, id := range ids {
				if !validID(id) || seen[id] {
					t.Fatalf("id %q is invalid or stands twice in %v", id, ids)
				}
				seen[id] = true
			}
		}
		stated := map[string]bool{}
		for i, b := range now.Blocks {
			if b.ID != "" && !stated[b.ID] && second[i] != b.ID {
				t.Fatalf("block %d states %s and got %s", i, b.ID, second[i])
			}
			stated[b.ID] = true
		}
		if diff := cmp.Diff(second, AssignIDs(p, now.Blocks, rowsOf(now, second), none)); diff != "" {
			t.Fatalf("assigning again changed ids (-first +again):\n%s", diff)
		}
	})
}

func randomOutline(r *rand.Rand, n int) *stratum.Note {
	words := []string{"", "a", "b", "buy some milk", "buy more milk", "buy milk", "\xff"}
	stated := []string{idX, idY, idZ}
	lines := make([]string, n)
	depth := 0
	for i := range lines {
		text := words[r.IntN(len(words))]
		if r.IntN(4) == 0 {
			text = stated[r.IntN(len(stated))] + "|" + text
		}
		depth = min(depth+1, r.IntN(3))
		if i == 0 {
			depth = 0
		}
		lines[i] = strings.Repeat("  ", depth) + text
	}
	n2 := outline(lines...)
	for i := range n2.Blocks {
		n2.Blocks[i].Content = clean(n2.Blocks[i].Content)
	}
	return n2
}

func TestAssignIDsIsQuickOnLargePages(t *testing.T) {
	lines := func(word string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("%s %d", strings.Repeat(word, 200), i)
		}
		return out
	}
	began := time.Now()
	named(t, lines("one ", 2000), lines("two ", 2000))
	named(t, slices.Repeat([]string{"same"}, 2000), slices.Repeat([]string{"same", "x"}, 1000))
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("two pages of 2,000 blocks took %v", took)
	}
}

func TestTwoStoresAgreeOnIDs(t *testing.T) {
	file := dbPath(t)
	one, two := open(t, file), open(t, file)
	p := page(t, "a.md", "a", "  b", "a", idX+"|c", idX+"|d")
	q := page(t, "b.md", idX+"|stolen", "a")
	beforeFill := ids(t, one, p)
	put(t, one, p, q)
	for _, s := range []*Store{one, two} {
		if diff := cmp.Diff(beforeFill, ids(t, s, p)); diff != "" {
			t.Errorf("ids before and after the fill differ:\n%s", diff)
		}
	}
	if diff := cmp.Diff(ids(t, one, q), ids(t, two, q)); diff != "" {
		t.Errorf("two stores differ:\n%s", diff)
	}
	if got := ids(t, two, q)[0]; got == idX {
		t.Error("b.md stole the id of a.md")
	}
	got := openApp(t, file).rows(`SELECT id FROM blocks WHERE page_path = 'a.md' ORDER BY rowid`)
	if diff := cmp.Diff(beforeFill, got); diff != "" {
		t.Errorf("ids in the database (-told +got):\n%s", diff)
	}
}

func TestDuplicateIDsNeverSteal(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", idX+"|mine").link(0, "c", "c.md"))
	put(t, s, page(t, "b.md", idX+"|copied", "more").link(0, "c", "c.md"))
	put(t, s, page(t, "b.md", idX+"|copied", "more", "yet more").link(0, "c", "c.md"))
	a := openApp(t, file)
	want := []string{"a.md|mine|c.md", "b.md|copied|c.md", "b.md|more|-", "b.md|yet more|-"}
	got := a.rows(`SELECT page_path, content, target_page FROM blocks LEFT JOIN links ON source_block = blocks.id ORDER BY page_path, blocks.rowid`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if got := a.rows(`SELECT page_path FROM blocks WHERE id = ?`, idX); len(got) != 1 || got[0] != "a.md" {
		t.Errorf("%s stands on %v, want a.md", idX, got)
	}
	// The page that holds the id goes: now the copy may have it.
	if err := s.Delete(t.Context(), path(t, "a.md")); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, s, page(t, "b.md", idX+"|copied")); got[0] != idX {
		t.Errorf("after the holder was deleted the copy has %s, want %s", got[0], idX)
	}
}

func TestABlockMovedBetweenPagesTakesItsIDAlong(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	put(t, s, page(t, "a.md", "stays"), page(t, "b.md", "b", idX+"|moves"))
	put(t, s, page(t, "a.md", "stays", idX+"|moves"), page(t, "b.md", "b"))
	got := openApp(t, file).rows(`SELECT page_path FROM blocks WHERE id = ?`, idX)
	if len(got) != 1 || got[0] != "a.md" {
		t.Errorf("%s stands on %v, want a.md", idX, got)
	}
}

func TestAppReparsesWithFreshIDs(t *testing.T) {
	file := dbPath(t)
	s := open(t, file)
	p := page(t, "a.md", "one", idX+"|two", "three").link(0, "b", "b.md")
	put(t, s, p)
	a := openApp(t, file)
	fresh := []string{idY, idX, idZ}
	tx, err := a.Begin() // deferred, as the app does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`DELETE FROM blocks WHERE page_path = 'a.md'`); err != nil {
		t.Fatal(err)
	}
	left := any(nil)
	for i, content := range []string{"one", "two", "three"} {
		_, err := tx.Exec(`INSERT OR REPLACE INTO blocks VALUES (?, 'a.md', ?, NULL, ?, '{}', NULL, NULL, 0, NULL, ?, ?)`,
			fresh[i], content, left, "2026-09-05T10:00:00.123456+00:00", "2026-09-05T10:00:00+00:00")
		if err != nil {
			t.Fatal(err)
		}
		left = fresh[i]
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}

	if changed, err := s.Changed(t.Context()); !changed || err != nil {
		t.Errorf("Changed = %v, %v after the app's commit", changed, err)
	}
	if changed, err := s.Changed(t.Context()); changed || err != nil {
		t.Errorf("Changed = %v, %v when asked again", changed, err)
	}
	if diff := cmp.Diff(fresh, ids(t, s, p)); diff != "" {
		t.Errorf("ids after the app's save (-want +got):\n%s", diff)
	}
	before := a.rows(`SELECT rowid, * FROM blocks`)
	if n := put(t, s, p); n != 1 { // the link has to come back
		t.Errorf("changed %d pages, want 1", n)
	}
	if diff := cmp.Diff(before, a.rows(`SELECT rowid, * FROM blocks`)); diff != "" {
		t.Errorf("the app's rows were rewritten (-before +after):\n%s", diff)
	}
	if got := a.rows(`SELECT source_block, target_page FROM links`); len(got) != 1 || got[0] != idY+"|b.md" {
		t.Errorf("links are %v", got)
	}
}
