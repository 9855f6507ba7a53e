// Depth-first search from the entry. Its numbers are what the other algorithms work with.
#pragma once

#include <span>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::graph {

/// The spanning tree that the search finds, and its nodes in preorder. A parent has a lower number
/// than its children.
struct DepthFirst {
  std::vector<Node> order;  ///< node of each number; only nodes that the entry reaches have one
  std::vector<Node> number; ///< number of each node, or kNoNode
  std::vector<Node> parent; ///< number of the parent of each number; kNoNode for the entry's

  Node reached() const { return static_cast<Node>(order.size()); }
};

/// Searches, with a list of its own for the way back, whatever the depth of the graph. Takes
/// successors in their order. Calls `edge(from, to)` with the numbers of the ends of each edge that
/// it goes along or finds, and `finish(node)` when all that a node leads to has been found.
template <class Edges, class Finish>
DepthFirst search_depth_first(const Graph& graph, Edges&& edge, Finish&& finish) {
  struct Open {
    Node number;
    std::span<const Node> left; ///< successors that are still to be looked at
  };
  DepthFirst found;
  found.order.reserve(graph.size());
  found.parent.reserve(graph.size());
  found.number.assign(graph.size(), kNoNode);
  std::vector<Open> way;
  const auto discover = [&](Node node, Node parent) {
    way.push_back({found.reached(), graph.successors(node)});
    for (const Node next : way.back().left) __builtin_prefetch(&found.number[next]);
    found.number[node] = found.reached();
    found.order.push_back(node);
    found.parent.push_back(parent);
  };
  for (discover(graph.entry(), kNoNode); !way.empty();) {
    Open& here = way.back();
    const Node from = here.number;
    if (here.left.empty()) {
      finish(found.order[from]);
      way.pop_back();
      continue;
    }
    const Node next = here.left.front();
    here.left = here.left.subspan(1);
    if (found.number[next] == kNoNode) discover(next, from);
    edge(from, found.number[next]);
  }
  return found;
}

DepthFirst depth_first(const Graph& graph);

/// The nodes that the entry reaches, each after all that were found from it.
std::vector<Node> postorder(const Graph& graph);

} // namespace lanewise::graph
