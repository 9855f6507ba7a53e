#include "flow/depth_first.h"

namespace lanewise::flow {
namespace {

/// The tree is its own stack: the way back is the parent. Calls finish(node) when all that a node
/// leads to has been found.
template <class Finish>
DepthFirst search(const Graph& graph, Finish&& finish) {
  DepthFirst found;
  found.order.reserve(graph.size());
  found.parent.reserve(graph.size());
  found.number.assign(graph.size(), kNoNode);
  std::vector<std::uint32_t> next; // of each number, the successor to look at
  next.reserve(graph.size());
  const auto open = [&](Node node, Node parent) {
    found.number[node] = found.reached();
    found.order.push_back(node);
    found.parent.push_back(parent);
    next.push_back(0);
  };
  open(graph.entry(), kNoNode);
  for (Node here = 0; here != kNoNode;) {
    const std::span<const Node> successors = graph.successors(found.order[here]);
    std::uint32_t edge = next[here];
    while (edge < successors.size() && found.number[successors[edge]] != kNoNode) ++edge;
    if (edge < successors.size()) {
      next[here] = edge + 1;
      open(successors[edge], here);
      here = found.reached() - 1;
    } else {
      finish(found.order[here]);
      here = found.parent[here];
    }
  }
  return found;
}

} // namespace

DepthFirst depth_first(const Graph& graph) {
  return search(graph, [](Node) {});
}

std::vector<Node> postorder(const Graph& graph) {
  std::vector<Node> finished;
  finished.reserve(graph.size());
  search(graph, [&](Node node) { finished.push_back(node); });
  return finished;
}

} // namespace lanewise::flow
