// Which variables hold values that are used later on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/graph/accesses.h"
#include "base/graph/graph.h"

namespace lanewise::graph {

/// A set of variables for each node, one bit each.
class VariableSets {
 public:
  VariableSets(Node nodes, Variable variables)
      : words_((std::size_t{variables} + 63) / 64), bits_(words_ * nodes) {}

  bool contains(Node node, Variable variable) const {
    return (row(node)[variable / 64] >> variable % 64 & 1) != 0;
  }
  void insert(Node node, Variable variable) {
    row(node)[variable / 64] |= std::uint64_t{1} << variable % 64;
  }

  /// Variable v is bit v % 64 of word v / 64.
  std::span<std::uint64_t> row(Node node) { return {bits_.data() + words_ * node, words_}; }
  std::span<const std::uint64_t> row(Node node) const {
    return {bits_.data() + words_ * node, words_};
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// A variable is live where some path leads to a use of it without a definition in between.
/// `live_at_exit`: variables that are used after every node without successors. Nodes that the
/// entry does not reach have empty sets.
struct Liveness {
  Liveness(const Graph& graph, const Accesses& accesses,
           std::span<const Variable> live_at_exit = {});

  VariableSets in, out; ///< before the first access of a node, and after the last
};

} // namespace lanewise::graph
