// Where the values of registers come from: on which loads they depend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/graph/ssa.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/memory_steps.h"

namespace lanewise::paths {

class RegisterValues {
 public:
  /// `steps`, one per word of the blocks, must outlive this.
  RegisterValues(const std::vector<Step>& steps, const std::vector<Block>& blocks,
                 const graph::Graph& graph);

  /// The loads on whose results the word depends through registers, ascending: also through phis,
  /// so that there is such a dependency on some path at least. Not through called functions.
  std::vector<std::uint32_t> loads_behind(std::uint32_t word) const;

 private:
  std::span<const graph::Value> used_by(std::uint32_t word) const;
  void note_definitions(const graph::Accesses& accesses, const std::vector<Block>& blocks);
  std::span<const graph::Value> sources_of(graph::Value value) const;

  const std::vector<Step>& steps_;
  graph::Ssa ssa_;
  /// Of each word: its block, and its accesses there.
  struct Place {
    graph::Node block = 0;
    std::uint32_t first = 0, uses = 0;
  };
  std::vector<Place> places_;
  std::vector<std::uint32_t> definer_; ///< of each value: the word, or kNoWord
};

} // namespace lanewise::paths
