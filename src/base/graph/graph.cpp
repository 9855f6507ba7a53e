#include "base/graph/graph.h"

#include <algorithm>
#include <stdexcept>

namespace lanewise::graph {

template <Node Edge::*Row, Node Edge::*Item>
void Rows::group(Node rows, std::span<const Edge> pairs) {
  first_.assign(std::size_t{rows} + 1, 0);
  items_.resize(pairs.size());
  for (const Edge& pair : pairs) ++first_[pair.*Row + 1];
  for (Node row = 0; row < rows; ++row) first_[row + 1] += first_[row];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Edge& pair : pairs) items_[next[pair.*Row]++] = pair.*Item;
}

Rows::Rows(Node rows, std::span<const Edge> pairs) {
  group<&Edge::from, &Edge::to>(rows, pairs);
}

Rows Rows::reversed(Node rows, std::span<const Edge> pairs) {
  Rows result;
  result.group<&Edge::to, &Edge::from>(rows, pairs);
  return result;
}

namespace {

/// The edges, if they make a graph.
std::span<const Edge> checked(Node nodes, Node entry, std::span<const Edge> edges) {
  const auto outside = [&](const Edge& edge) { return edge.from >= nodes || edge.to >= nodes; };
  if (nodes == kNoNode || edges.size() >= kNoNode)
    throw std::invalid_argument("a flow graph has fewer than 2^32 - 1 nodes and edges");
  if (entry >= nodes) throw std::invalid_argument("the entry of a flow graph is one of its nodes");
  if (std::ranges::any_of(edges, outside))
    throw std::invalid_argument("an edge of a flow graph ends at a node that it does not have");
  return edges;
}

} // namespace

Graph::Graph(Node nodes, Node entry, std::span<const Edge> edges)
    : entry_(entry),
      successors_(nodes, checked(nodes, entry, edges)),
      predecessors_(Rows::reversed(nodes, edges)) {}

std::vector<Edge> Graph::edges() const {
  std::vector<Edge> result;
  result.reserve(edge_count());
  for (Node from = 0; from < size(); ++from) {
    for (const Node to : successors(from)) result.push_back({from, to});
  }
  return result;
}

} // namespace lanewise::graph
