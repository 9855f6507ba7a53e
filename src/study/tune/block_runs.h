// Parts of a block that repeat: the same instructions again and again, each time on places that
// have moved on by as much. Such a part is recorded and replayed, or a loop of the core, where the
// Dst counter moves with it, so that a long block is a short program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "study/tune/block_order.h"

namespace lanewise::tune {

/// Slots of an order that repeat.
struct BlockRun {
  std::size_t first = 0, length = 0, times = 1;
  std::uint32_t stride = 0; ///< by which the places move on, modulo 1024

  std::size_t end() const { return first + length * times; }
};

/// Runs in their order, apart from each other. Places may move in them by one stride, since one
/// section moves the counter without an instruction: by that with which most is repeated.
/// `moves`: whether there is such a section.
std::vector<BlockRun> find_runs(Arch arch, std::span<const BlockStep> steps,
                                std::span<const std::uint32_t> slots, bool moves);

} // namespace lanewise::tune
