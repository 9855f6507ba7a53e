// Parts of a block that repeat: the same instructions again and again, each time on places that
// have moved on by as much. Such a part is recorded and replayed, or a loop of the core, where the
// Dst counter moves with it, so that a long block is a short program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "study/tune/block_order.h"

namespace lanewise::tune {

/// Slots of an order that repeat.
struct BlockRun {
  std::size_t first = 0, length = 0, times = 1;
  std::uint32_t stride = 0; ///< by which the places move on, modulo 1024
  /// Long parts have an instruction at their end that moves the counter; of short ones the last
  /// access does.
  bool is_long = false;
  std::vector<BlockRun> parts = {}; ///< of a long one: what repeats within its first time

  std::size_t end() const { return first + length * times; }
};

/// What the counter can do.
struct CounterMoves {
  bool has_section = false; ///< a section moves it with an access
  bool has_copy = false;    ///< INCRWC moves its copy, and it with that
};

/// The most by which the counter's copy moves at the end of a long part.
inline constexpr std::uint32_t kFarthestCopy = 30;
/// The same for an INCRWC.
inline constexpr std::uint32_t kFarthestAdvance = 15;

/// How far the counter's copy is from where it has to be behind a long part.
std::uint32_t copy_distance(const BlockRun& run);

/// Runs in their order, apart from each other. The places of short ones move by one stride, since
/// one section moves the counter without an instruction: by that with which the code is shortest.
std::vector<BlockRun> find_runs(Arch arch, std::span<const BlockStep> steps,
                                std::span<const std::uint32_t> slots, CounterMoves moves);

} // namespace lanewise::tune
