// A program's values, followed word by word through its registers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Addresses in Dst have 10 bits (VU C17).
inline constexpr std::uint32_t kDstAddressMask = 0x3FF;

/// A store of a followed program.
struct FollowedStore {
  NodeId value;
  std::uint32_t address, line;
  std::uint8_t mode;
};

struct Followed {
  std::vector<Node> nodes; ///< of all rows; the addresses of loads are absolute
  std::vector<FollowedStore> stores;
  std::uint32_t dst_counter = 0; ///< at the end
};

/// Follows `ops`, those of a schedule where there are macros, from a state. Error: Unsupported with
/// the reason and the line, for what is not known here and for lanes that stay disabled at the end.
Expected<Followed> follow(Arch arch, const MachineState& start, std::span<const MicroOp> ops);

/// Why a program has no rows, with what to do, and the line.
Unexpected refuse(std::string what, std::string remedy, std::uint32_t line);

} // namespace lanewise::tune
