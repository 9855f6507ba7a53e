// Random graphs, and answers about small ones by their definitions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::graph {

/// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((bits() >> 32) * bound >> 32);
  }

 private:
  std::uint64_t state_;
};

/// LANEWISE_FLOW_GRAPHS, or this many.
inline std::uint64_t graph_count(std::uint64_t otherwise) {
  const char* wanted = std::getenv("LANEWISE_FLOW_GRAPHS");
  return wanted == nullptr ? otherwise : std::strtoull(wanted, nullptr, 10);
}

/// 1 to 12 nodes, from no edges to three per node, between any two of them.
inline Graph random_small_graph(std::uint64_t seed) {
  Random random(seed);
  const std::uint32_t nodes = 1 + random.below(12);
  std::vector<Edge> edges(random.below(3 * nodes + 1));
  for (Edge& edge : edges) edge = {random.below(nodes), random.below(nodes)};
  return {nodes, random.below(nodes), edges};
}

/// A graph as a compiler makes them: most nodes lead to the next one, some also or only to one
/// further on, and a few back. The entry reaches most nodes.
inline Graph random_program_graph(Node nodes, Random& random) {
  constexpr Node kFarthest = 64;
  std::vector<Edge> edges;
  for (Node node = 0; node + 1 < nodes; ++node) {
    const Node span = 1 + random.below(kFarthest);
    const bool falls_through = random.below(16) != 0;
    if (falls_through) edges.push_back({node, node + 1});
    if (!falls_through || random.below(3) == 0)
      edges.push_back({node, std::min(node + span, nodes - 1)});
    if (random.below(16) == 0) edges.push_back({node, node - std::min(node, span)});
  }
  return {nodes, 0, edges};
}

/// Any edge is as likely as another; `tenths` / 10 edges per node.
inline Graph random_wild_graph(Node nodes, std::uint32_t tenths, Random& random) {
  std::vector<Edge> edges(std::size_t{nodes} * tenths / 10);
  for (Edge& edge : edges) edge = {random.below(nodes), random.below(nodes)};
  return {nodes, random.below(nodes), edges};
}

/// A set of nodes of a small graph: node n is bit n.
using NodeSet = std::uint32_t;

inline bool has(NodeSet set, Node node) {
  return (set >> node & 1) != 0;
}

template <class Work>
void for_each_in(NodeSet set, Work&& work) {
  for (; set != 0; set &= set - 1) work(static_cast<Node>(std::countr_zero(set)));
}

inline std::vector<Node> members(NodeSet set) {
  std::vector<Node> nodes;
  for_each_in(set, [&](Node node) { nodes.push_back(node); });
  return nodes;
}

/// A graph of up to 32 nodes as sets.
struct SmallGraph {
  explicit SmallGraph(const Graph& graph) : size(graph.size()), entry(graph.entry()) {
    for (const Edge& edge : graph.edges()) {
      successors[edge.from] |= NodeSet{1} << edge.to;
      predecessors[edge.to] |= NodeSet{1} << edge.from;
    }
  }

  /// What can be reached from nodes of `from` without entering `removed`.
  NodeSet reach(NodeSet from, NodeSet removed) const { return close(from, removed, successors); }

  /// From where nodes of `to` can be reached without entering `removed`.
  NodeSet reach_back(NodeSet to, NodeSet removed) const { return close(to, removed, predecessors); }

  NodeSet reached() const { return reach(NodeSet{1} << entry, 0); }

  std::uint32_t size;
  Node entry;
  std::array<NodeSet, 32> successors{}, predecessors{};

 private:
  static NodeSet close(NodeSet from, NodeSet removed, const std::array<NodeSet, 32>& next) {
    NodeSet found = from & ~removed;
    for (NodeSet waiting = found; waiting != 0;) {
      const Node node = static_cast<Node>(std::countr_zero(waiting));
      waiting &= waiting - 1;
      const NodeSet fresh = next[node] & ~found & ~removed;
      found |= fresh;
      waiting |= fresh;
    }
    return found;
  }
};

/// By removal: a dominates what cannot be reached without it.
struct SmallDominators {
  explicit SmallDominators(const SmallGraph& graph) : reached(graph.reached()) {
    for_each_in(reached, [&](Node a) {
      dominated[a] = reached & ~graph.reach(NodeSet{1} << graph.entry, NodeSet{1} << a);
      for_each_in(dominated[a], [&](Node b) { dominators[b] |= NodeSet{1} << a; });
    });
  }

  bool dominates(Node a, Node b) const { return has(dominated[a], b); }

  /// Of the strict dominators, the one that all others dominate.
  Node idom(Node node) const {
    const NodeSet strict = dominators[node] & ~(NodeSet{1} << node);
    Node found = kNoNode;
    for_each_in(strict, [&](Node a) {
      if (dominators[a] == strict) found = a;
    });
    return found;
  }

  NodeSet reached;
  std::array<NodeSet, 32> dominated{}, dominators{};
};

/// For messages: "entry 0: 0>1 1>2".
inline std::string to_string(const Graph& graph) {
  std::string text =
      std::to_string(graph.size()) + " nodes, entry " + std::to_string(graph.entry()) + ':';
  for (const Edge& edge : graph.edges())
    text += ' ' + std::to_string(edge.from) + '>' + std::to_string(edge.to);
  return text;
}

} // namespace lanewise::graph
