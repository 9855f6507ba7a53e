#include "report/elf/layout_layers.h"

#include <algorithm>

#include "base/graph/depth_first.h"

namespace lanewise::report {

namespace {

using graph::Edge;
using graph::Graph;
using graph::Node;

/// The graph with one more node, which leads to all others: so a search finds them all. The entry
/// comes first, then nodes that nothing else leads to.
Graph with_root(const Graph& graph) {
  const Node root = graph.size();
  std::vector<Edge> edges = graph.edges();
  edges.push_back({root, graph.entry()});
  for (Node node = 0; node < root; ++node) {
    if (graph.predecessors(node).empty()) edges.push_back({root, node});
  }
  for (Node node = 0; node < root; ++node) edges.push_back({root, node});
  return {root + 1, root, edges};
}

/// By node: when the search has finished with it. Edges that do not lead back lead to what is
/// finished earlier.
std::vector<std::size_t> finishing_times(const std::vector<Node>& postorder) {
  std::vector<std::size_t> times(postorder.size());
  for (std::size_t time = 0; time < postorder.size(); ++time) times[postorder[time]] = time;
  return times;
}

std::vector<bool> find_back_edges(const Graph& graph, const std::vector<std::size_t>& times) {
  std::vector<bool> is_back;
  is_back.reserve(graph.edge_count());
  for (const Edge& edge : graph.edges()) is_back.push_back(times[edge.to] >= times[edge.from]);
  return is_back;
}

/// The last node of `postorder` is the root, which has no layer.
std::vector<std::uint32_t> longest_ways(const Graph& graph, const std::vector<Node>& postorder,
                                        const std::vector<std::size_t>& times) {
  std::vector<std::uint32_t> layer(graph.size(), 0);
  for (std::size_t i = postorder.size() - 1; i-- > 0;) {
    const Node from = postorder[i];
    for (const Node to : graph.successors(from)) {
      if (times[to] < times[from]) layer[to] = std::max(layer[to], layer[from] + 1);
    }
  }
  return layer;
}

} // namespace

std::vector<Node> graph_roots(const Graph& graph) {
  const graph::DepthFirst search = graph::depth_first(with_root(graph));
  std::vector<Node> roots;
  for (Node number = 1; number < search.reached(); ++number) {
    if (search.parent[number] == 0) roots.push_back(search.order[number]);
  }
  return roots;
}

GraphLayers layers_of(const Graph& graph) {
  const std::vector<Node> postorder = graph::postorder(with_root(graph));
  const std::vector<std::size_t> times = finishing_times(postorder);
  GraphLayers layers{.is_back = find_back_edges(graph, times),
                     .of = longest_ways(graph, postorder, times),
                     .nodes = {}};
  layers.nodes.resize(*std::ranges::max_element(layers.of) + 1);
  for (Node node = 0; node < graph.size(); ++node) layers.nodes[layers.of[node]].push_back(node);
  return layers;
}

} // namespace lanewise::report
