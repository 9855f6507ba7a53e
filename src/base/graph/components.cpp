#include "base/graph/components.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/graph/depth_first.h"

namespace lanewise::graph {

// Kosaraju and Sharir: against the edges, from the node that a depth-first search finishes last,
// one reaches just its component; then from the last of the rest.
Rows strong_components(const Graph& graph) {
  constexpr Node kWaits = kNoNode - 1; // reached, but in no component yet
  std::vector<Node> component(graph.size(), kNoNode);
  std::vector<Node> order = postorder(graph);
  std::ranges::reverse(order);
  for (const Node node : order) component[node] = kWaits;
  Node count = 0;
  std::vector<Node> waiting;
  std::vector<Edge> members;
  const auto add = [&](Node node) {
    if (component[node] != kWaits) return;
    component[node] = count;
    members.push_back({count, node});
    waiting.push_back(node);
  };
  for (const Node first : order) {
    if (component[first] != kWaits) continue;
    for (add(first); !waiting.empty();) {
      const Node node = waiting.back();
      waiting.pop_back();
      for (const Node before : graph.predecessors(node)) add(before);
    }
    ++count;
  }
  return {count, members};
}

} // namespace lanewise::graph
