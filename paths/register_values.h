// Where the values of registers come from: on which loads they depend, and which are known numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flow/ssa.h"
#include "paths/code_graph.h"
#include "paths/memory_steps.h"

namespace lanewise::paths {

class RegisterValues {
 public:
  /// `steps`, one per word of the blocks, must outlive this.
  RegisterValues(const std::vector<Step>& steps, const std::vector<Block>& blocks,
                 const flow::Graph& graph);

  /// The loads on whose results the word depends through registers, ascending: also through phis,
  /// so that there is such a dependency on some path at least. Not through called functions.
  std::vector<std::uint32_t> loads_behind(std::uint32_t word) const;

  /// Where a load or a store goes, if its address is made of constants; a push goes to the FIFO
  /// and has none here.
  std::optional<std::uint32_t> address(std::uint32_t word) const;

 private:
  std::span<const flow::Value> used_by(std::uint32_t word) const;
  void note_definitions(const flow::Accesses& accesses, const std::vector<Block>& blocks);
  void find_constants();
  std::optional<std::uint32_t> sum(std::uint32_t word) const;
  std::span<const flow::Value> sources_of(flow::Value value) const;

  const std::vector<Step>& steps_;
  flow::Ssa ssa_;
  /// Of each word: its block, and its accesses there.
  struct Place {
    flow::Node block = 0;
    std::uint32_t first = 0, uses = 0;
  };
  std::vector<Place> places_;
  std::vector<std::uint32_t> definer_; ///< of each value: the word, or kNoWord
  std::vector<std::optional<std::uint32_t>> constants_;
};

} // namespace lanewise::paths
