// The order of a block's instructions: which must come before which, and a list schedule that fills
// the slots behind results of two cycles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/tune/block_values.h"

namespace lanewise::tune {

/// Slots of a block: indices of its steps, or kEmptySlot, which is an SFPNOP. An instruction that
/// has the unit to itself for two cycles (SFPSWAP) has one slot, and costs two cycles.
inline constexpr std::uint32_t kEmptySlot = 0xFFFFFFFF;

struct BlockOrder {
  std::vector<std::uint32_t> slots;
  std::uint64_t cycles = 0;
};

/// An order in which every value is what it is in the order of `steps`, and no result is read, nor
/// its register written again, before it is there. Nothing relies on stalls, so that words that
/// come late change nothing. At the end all results are there.
BlockOrder order_block(Arch arch, std::span<const BlockStep> steps);

/// Cycles that any order of these instructions takes: one each, two where it has the unit to
/// itself.
std::uint64_t issue_cycles(Arch arch, std::span<const BlockStep> steps);

/// Without steps that change nothing and steps whose results nobody reads. What the block leaves
/// in LReg[0..7] is read for those in `kept`.
std::vector<BlockStep> without_useless_steps(std::span<const BlockStep> steps, StateSet kept);

} // namespace lanewise::tune
