// Contracts between kernels of a chain: what one has set up for itself and another has overwritten.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/chain_parts.h"

namespace lanewise::tune {

/// A kernel finds something else than what it has set up, or than what it was made for.
struct Conflict {
  std::string resource; ///< "LReg[12]", "macro 0", "replay slots 0 to 3", ...
  std::size_t reader = 0;
  std::uint32_t read_line = 0;
  std::size_t writer = 0; ///< whose word has changed it; the reader itself: its last tile
  std::uint32_t written_line = 0;
};

/// Executes the kernels by themselves, then all inits and the kernels one behind the other for two
/// tiles, and compares what each finds of what it reads: LRegs, constant registers, macros with
/// their templates and Misc, ADDR_MOD sections, LaneConfig, flags and replay slots. Each resource
/// of a kernel once. Error: BadInput if a .cfg setting is wrong.
Expected<std::vector<Conflict>> find_conflicts(std::span<const ChainLink> links,
                                               const execution::TileRunOptions& options);

/// A sentence with both kernels, and their lines where there are any.
std::string conflict_text(const Conflict& conflict, std::span<const ChainLink> links);

} // namespace lanewise::tune
