#include "binary/paths/forward_order.h"

#include <algorithm>

#include "base/graph/depth_first.h"

namespace lanewise::paths {

std::vector<graph::Node> forward_order(const graph::Graph& graph) {
  std::vector<graph::Node> order = graph::postorder(graph);
  std::ranges::reverse(order);
  return order;
}

std::vector<graph::Node> heaviest_way(const graph::Graph& graph, graph::Node to,
                                      const std::vector<std::size_t>& weights) {
  std::vector<std::size_t> weight_before(graph.size(), 0);
  std::vector<graph::Node> from(graph.size(), graph::kNoNode);
  std::vector<bool> passed(graph.size(), false);
  for (const graph::Node node : forward_order(graph)) {
    passed[node] = true;
    const std::size_t weight = weight_before[node] + weights[node];
    for (const graph::Node next : graph.successors(node)) {
      if (passed[next] || (from[next] != graph::kNoNode && weight <= weight_before[next])) continue;
      from[next] = node;
      weight_before[next] = weight;
    }
  }
  std::vector<graph::Node> way;
  for (graph::Node node = from[to]; node != graph::kNoNode; node = from[node]) way.push_back(node);
  std::ranges::reverse(way);
  return way;
}

} // namespace lanewise::paths
