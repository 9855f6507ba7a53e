#include "base/graph/postdominators.h"

#include <utility>

#include "base/graph/depth_first.h"

namespace lanewise::graph {
namespace {

/// Marks what leads to a node, itself too.
void mark_before(const Graph& graph, Node node, std::vector<bool>& marked) {
  std::vector<Node> waiting{node};
  marked[node] = true;
  while (!waiting.empty()) {
    const Node here = waiting.back();
    waiting.pop_back();
    for (const Node before : graph.predecessors(here)) {
      if (marked[before]) continue;
      marked[before] = true;
      waiting.push_back(before);
    }
  }
}

} // namespace

Graph reversed(const Graph& graph, std::span<const Node> exits) {
  std::vector<Edge> edges = graph.edges();
  for (Edge& edge : edges) std::swap(edge.from, edge.to);
  for (const Node exit : exits) edges.push_back({graph.size(), exit});
  return {graph.size() + 1, graph.size(), edges};
}

std::vector<Node> find_exits(const Graph& graph) {
  std::vector<Node> exits;
  std::vector<bool> leaves(graph.size());
  const auto add = [&](Node node) {
    exits.push_back(node);
    mark_before(graph, node, leaves);
  };
  for (Node node = 0; node < graph.size(); ++node) {
    if (graph.successors(node).empty()) add(node);
  }
  for (const Node node : postorder(graph)) {
    if (!leaves[node]) add(node);
  }
  return exits;
}

Postdominators::Postdominators(const Graph& graph, Strategy strategy)
    : Postdominators(graph, find_exits(graph), strategy) {}

Postdominators::Postdominators(const Graph& graph, std::span<const Node> exits, Strategy strategy)
    : reversed(graph::reversed(graph, exits)), tree(reversed, strategy) {}

} // namespace lanewise::graph
