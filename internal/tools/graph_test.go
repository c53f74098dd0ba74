package tools

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"stratum"
)

// randomGraph has n notes, the first ones with the most links.
func randomGraph(n, edges int) stratum.GraphData {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	g := stratum.GraphData{Nodes: []stratum.GraphNode{}, Edges: []stratum.GraphEdge{}, VaultPath: "/vault", NodeCount: n, EdgeCount: edges}
	for i := range n {
		id := fmt.Sprintf("note/%d", i)
		g.Nodes = append(g.Nodes, stratum.GraphNode{ID: id, Title: "Note \"" + id + `"`, Path: id + ".md", Tags: []string{"tag"}})
	}
	for i := range edges {
		s, t := r.IntN(n), int(float64(n)*r.Float64()*r.Float64()*r.Float64())
		label := fmt.Sprintf("label %d", i)
		g.Edges = append(g.Edges, stratum.GraphEdge{Source: g.Nodes[s].ID, Target: g.Nodes[t].ID, Label: &label})
	}
	countDegrees(g)
	return g
}

// checkGraph: every edge has both ends, degrees count the answer's edges, and
// the totals are the true ones.
func checkGraph(t *testing.T, whole, got stratum.GraphData) {
	t.Helper()
	degree := map[string]int{}
	for _, n := range got.Nodes {
		degree[n.ID] = 0
	}
	for _, e := range got.Edges {
		for _, end := range []string{e.Source, e.Target} {
			if _, ok := degree[end]; !ok {
				t.Fatalf("the edge %s to %s has no %s", e.Source, e.Target, end)
			}
		}
		degree[e.Source]++
		if e.Target != e.Source {
			degree[e.Target]++
		}
	}
	for _, n := range got.Nodes {
		if n.Degree != degree[n.ID] {
			t.Errorf("%s has degree %d, want %d", n.ID, n.Degree, degree[n.ID])
		}
	}
	if got.NodeCount != whole.NodeCount || got.EdgeCount != whole.EdgeCount || got.VaultPath != whole.VaultPath {
		t.Errorf("totals %d and %d, want %d and %d", got.NodeCount, got.EdgeCount, whole.NodeCount, whole.EdgeCount)
	}
	if cut := len(got.Nodes) < len(whole.Nodes) || len(got.Edges) < len(whole.Edges); got.Truncated != cut {
		t.Errorf("%d of %d nodes, %d of %d edges, truncated %v", len(got.Nodes), len(whole.Nodes), len(got.Edges), len(whole.Edges), got.Truncated)
	}
}

func TestGraph(t *testing.T) {
	const budget = 50_000
	for _, size := range []struct{ nodes, edges int }{
		{0, 0}, {1, 0}, {1, 3}, {50, 80}, {120, 60}, {200, 300}, {3000, 9000}, {5, 2000}, {3000, 0},
	} {
		t.Run(fmt.Sprintf("%d nodes, %d edges", size.nodes, size.edges), func(t *testing.T) {
			var whole stratum.GraphData
			if size.nodes == 0 {
				whole = stratum.GraphData{Nodes: []stratum.GraphNode{}, Edges: []stratum.GraphEdge{}}
			} else {
				whole = randomGraph(size.nodes, size.edges)
			}
			res := encodeGraph(whole, budget)
			got := check[stratum.GraphData](t, res, budget)
			checkGraph(t, whole, got)
			if res.Text != "" {
				t.Errorf("a cut graph still has its copy as text, not %q", res.Text)
			}
			if got.Truncated && res.Size() < budget*8/10 {
				t.Errorf("only %d of %d bytes are used", res.Size(), budget)
			}
			kept := map[string]bool{}
			for _, n := range got.Nodes {
				kept[n.ID] = true
			}
			worst, best := 1<<30, 0
			for _, n := range whole.Nodes {
				if kept[n.ID] {
					worst = min(worst, n.Degree)
				} else {
					best = max(best, n.Degree)
				}
			}
			if worst < best {
				t.Errorf("a node of degree %d was kept and one of %d was not", worst, best)
			}
		})
	}
	t.Run("a first node too large alone", func(t *testing.T) {
		g := randomGraph(2, 1)
		g.Nodes[0].Title = strings.Repeat("title ", 100_000)
		g.Nodes[0].Tags = strings.Fields(strings.Repeat("tag ", 100_000))
		g.Nodes[0].Degree = 9
		got := check[stratum.GraphData](t, encodeGraph(g, budget), budget)
		if len(got.Nodes) == 0 || got.Nodes[0].Title == "" || !got.Truncated {
			t.Errorf("%d nodes, truncated %v", len(got.Nodes), got.Truncated)
		}
	})
	t.Run("the caller's graph stays as it is", func(t *testing.T) {
		g := randomGraph(3000, 9000)
		before := g.Nodes[17]
		encodeGraph(g, budget)
		if got := g.Nodes[17]; got.Degree != before.Degree || got.ID != before.ID {
			t.Errorf("node 17 was %v and is %v", before, got)
		}
	})
}

func BenchmarkGraph(b *testing.B) {
	g := randomGraph(100_000, 400_000)
	for b.Loop() {
		encodeGraph(g, stratum.ResponseMax)
	}
}
