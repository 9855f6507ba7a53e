#include "binary/paths/forward_order.h"

#include <algorithm>

#include "base/graph/depth_first.h"

namespace lanewise::paths {

std::vector<flow::Node> forward_order(const flow::Graph& graph) {
  std::vector<flow::Node> order = flow::postorder(graph);
  std::ranges::reverse(order);
  return order;
}

std::vector<flow::Node> heaviest_way(const flow::Graph& graph, flow::Node to,
                                     const std::vector<std::size_t>& weights) {
  std::vector<std::size_t> weight_before(graph.size(), 0);
  std::vector<flow::Node> from(graph.size(), flow::kNoNode);
  std::vector<bool> passed(graph.size(), false);
  for (const flow::Node node : forward_order(graph)) {
    passed[node] = true;
    const std::size_t weight = weight_before[node] + weights[node];
    for (const flow::Node next : graph.successors(node)) {
      if (passed[next] || (from[next] != flow::kNoNode && weight <= weight_before[next])) continue;
      from[next] = node;
      weight_before[next] = weight;
    }
  }
  std::vector<flow::Node> way;
  for (flow::Node node = from[to]; node != flow::kNoNode; node = from[node]) way.push_back(node);
  std::ranges::reverse(way);
  return way;
}

} // namespace lanewise::paths
