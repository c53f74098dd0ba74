package graph

import (
	"cmp"
	"slices"
	"strings"

	"stratum"
)

// Truncate cuts a graph to a budget (decision 7.1): it keeps the node whose id
// is keep, then those of high degree first, as long as each fits with its
// edges to the nodes already kept, so that no edge misses an end. Degrees are
// counted again; NodeCount and EdgeCount stay the totals. The first node is
// kept in any case, and only its edges are cut. node and edge give the cost of
// one; degrees in what they see are those of d, which does not change.
func Truncate(
	d stratum.GraphData, keep string, budget int,
	node func(*stratum.GraphNode) int, edge func(*stratum.GraphEdge) int,
) stratum.GraphData {
	ranks := rankNodes(&d, keep)
	costs := make([]int, len(d.Nodes)) // by rank
	for i := range d.Nodes {
		costs[ranks[d.Nodes[i].ID]] += node(&d.Nodes[i])
	}
	for i := range d.Edges {
		costs[edgeRank(ranks, &d.Edges[i])] += edge(&d.Edges[i])
	}
	kept, left := 0, budget
	for kept < len(costs) && costs[kept] <= left {
		left -= costs[kept]
		kept++
	}
	if kept == len(costs) {
		return d
	}
	out := stratum.GraphData{
		Nodes: make([]stratum.GraphNode, 0, max(1, kept)), Edges: []stratum.GraphEdge{},
		NodeCount: d.NodeCount, EdgeCount: d.EdgeCount, VaultPath: d.VaultPath, Truncated: true,
	}
	at := make(map[string]int, max(1, kept))
	for _, n := range d.Nodes {
		if ranks[n.ID] < max(1, kept) {
			at[n.ID] = len(out.Nodes)
			n.Degree = 0
			out.Nodes = append(out.Nodes, n)
			if kept == 0 {
				left -= node(&n)
			}
		}
	}
	for _, e := range d.Edges {
		if edgeRank(ranks, &e) >= max(1, kept) {
			continue
		}
		if kept == 0 {
			if left -= edge(&e); left < 0 {
				break
			}
		}
		out.Edges = append(out.Edges, e)
		out.Nodes[at[e.Source]].Degree++
		if e.Source != e.Target {
			out.Nodes[at[e.Target]].Degree++
		}
	}
	return out
}

// rankNodes returns each node's place in the order in which nodes are kept.
func rankNodes(d *stratum.GraphData, keep string) map[string]int {
	order := make([]*stratum.GraphNode, len(d.Nodes))
	for i := range d.Nodes {
		order[i] = &d.Nodes[i]
	}
	last := func(n *stratum.GraphNode) int {
		if n.ID == keep {
			return 0
		}
		return 1
	}
	slices.SortFunc(order, func(a, b *stratum.GraphNode) int {
		return cmp.Or(
			cmp.Compare(last(a), last(b)),
			cmp.Compare(b.Degree, a.Degree),
			strings.Compare(a.Path, b.Path),
		)
	})
	ranks := make(map[string]int, len(order))
	for i, n := range order {
		ranks[n.ID] = i
	}
	return ranks
}

func edgeRank(ranks map[string]int, e *stratum.GraphEdge) int {
	return max(ranks[e.Source], ranks[e.Target])
}
