package tools

import (
	"cmp"
	"slices"

	"stratum"
	"stratum/internal/mcp"
)

// What the shortest node and edge cost: enough to tell without encoding that
// a graph does not fit.
const (
	nodeMin = 130
	edgeMin = 90
)

// encodeGraph encodes a graph within the budget, cut where it must be.
func encodeGraph(data stratum.GraphData, budget int) mcp.Result {
	if len(data.Nodes)*nodeMin+len(data.Edges)*edgeMin <= budget {
		if r := (mcp.Result{Structured: marshal(data)}); r.Size() <= budget {
			return r
		}
	}
	return answer(cutGraph(data, budget), budget)
}

// cutGraph keeps the nodes of the highest degree that fit together with the
// edges among them (decision 7.1). An edge is paid for by its node that comes
// later in that order; the last node may lack edges that no longer fit.
func cutGraph(data stratum.GraphData, budget int) stratum.GraphData {
	nodes := bestConnected(data.Nodes, budget/nodeMin+1)
	edgesOf := edgesByLaterNode(data.Edges, nodes)

	cutData := data
	cutData.Nodes, cutData.Edges, cutData.Truncated = []stratum.GraphNode{}, []stratum.GraphEdge{}, true
	var e encoder
	room := budget - mcp.Overhead - cost(e.encode(&cutData))
	var kept []int // indices of the edges
	for i := range nodes {
		if i == 0 && cost(e.encode(&nodes[0])) > room {
			nodes[0].Title = cut(nodes[0].Title, room/4, costTwice)
			nodes[0].Tags, _ = cutItems(nodes[0].Tags, room/8)
		}
		if room -= cost(e.encode(&nodes[i])) + 2*len(","); room < 0 && i > 0 {
			break
		}
		cutData.Nodes = append(cutData.Nodes, nodes[i])
		for _, edge := range edgesOf[i] {
			if room -= cost(e.encode(&data.Edges[edge])) + 2*len(","); room < 0 {
				break
			}
			kept = append(kept, edge)
		}
		if room < 0 {
			break
		}
	}
	slices.Sort(kept)
	for _, edge := range kept {
		cutData.Edges = append(cutData.Edges, data.Edges[edge])
	}
	countDegrees(cutData)
	return cutData
}

// bestConnected returns up to limit nodes, those of the highest degree first
// and in their own order where it is the same.
func bestConnected(all []stratum.GraphNode, limit int) []stratum.GraphNode {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(all[b].Degree, all[a].Degree), cmp.Compare(a, b))
	})
	nodes := make([]stratum.GraphNode, min(limit, len(all)))
	for i := range nodes {
		nodes[i] = all[order[i]]
	}
	return nodes
}

// edgesByLaterNode lists for each node the edges between it and itself or a
// node before it.
func edgesByLaterNode(edges []stratum.GraphEdge, nodes []stratum.GraphNode) [][]int {
	rank := make(map[string]int, len(nodes))
	for i, n := range nodes {
		rank[n.ID] = i
	}
	lists := make([][]int, len(nodes))
	for i, edge := range edges {
		source, ok := rank[edge.Source]
		target, ok2 := rank[edge.Target]
		if ok && ok2 {
			later := max(source, target)
			lists[later] = append(lists[later], i)
		}
	}
	return lists
}

// countDegrees sets each node's degree to the edges of the answer that touch
// it (decision 6.6).
func countDegrees(data stratum.GraphData) {
	degree := make(map[string]int, len(data.Nodes))
	for _, edge := range data.Edges {
		degree[edge.Source]++
		if edge.Target != edge.Source {
			degree[edge.Target]++
		}
	}
	for i := range data.Nodes {
		data.Nodes[i].Degree = degree[data.Nodes[i].ID]
	}
}
