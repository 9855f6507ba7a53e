// Directed graphs with an entry, in two arrays per direction. Everything in this room is about
// them: whose nodes they are (blocks of instructions, for one) is the caller's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanewise::graph {

using Node = std::uint32_t; ///< 0 to Graph::size() - 1
inline constexpr Node kNoNode = ~Node{0};

struct Edge {
  Node from, to;

  friend bool operator==(const Edge&, const Edge&) = default;
};

/// A list of nodes for each node, all in one array.
class Rows {
 public:
  Rows() = default;

  /// Row `from` has `to`, for each of fewer than 2^32 pairs, in their order.
  Rows(Node rows, std::span<const Edge> pairs);

  /// Row `to` has `from`.
  static Rows reversed(Node rows, std::span<const Edge> pairs);

  std::span<const Node> operator[](Node row) const {
    return {items_.data() + first_[row], items_.data() + first_[row + 1]};
  }

  /// How many rows.
  Node size() const { return first_.empty() ? 0 : static_cast<Node>(first_.size() - 1); }

  /// How many nodes in all rows.
  std::size_t total() const { return items_.size(); }

  friend bool operator==(const Rows&, const Rows&) = default;

 private:
  template <Node Edge::*Row, Node Edge::*Item>
  void group(Node rows, std::span<const Edge> pairs);

  std::vector<std::uint32_t> first_; ///< where a row begins in items_; one more for the end
  std::vector<Node> items_;
};

/// A flow graph. Several edges between the same nodes, edges from a node to itself, edges to the
/// entry, and nodes that the entry does not reach are all allowed.
class Graph {
 public:
  /// Throws std::invalid_argument where the entry or an end of an edge is no node, or where there
  /// are 2^32 - 1 nodes or edges, or more.
  Graph(Node nodes, Node entry, std::span<const Edge> edges);

  Node size() const { return successors_.size(); }
  Node entry() const { return entry_; }
  std::size_t edge_count() const { return successors_.total(); }

  /// In the order of the edges.
  std::span<const Node> successors(Node node) const { return successors_[node]; }
  std::span<const Node> predecessors(Node node) const { return predecessors_[node]; }

  /// By their first node; those of a node in their order.
  std::vector<Edge> edges() const;

 private:
  Node entry_;
  Rows successors_, predecessors_;
};

} // namespace lanewise::graph
