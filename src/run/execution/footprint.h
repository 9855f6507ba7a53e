// What a program writes of a machine, so that little has to be put back before the next tile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise::execution {

/// Of a program that leaves SrcA and SrcB alone, and Dst but for what SFPSTORE writes there: no
/// values influence where.
class Footprint {
 public:
  /// Nothing for a program with instructions of the Matrix Unit that do more than move counters.
  static std::optional<Footprint> of(const MachineState& start, std::span<const MicroOp> ops);

  /// Makes `state`, on which the program has run from `start`, what `start` is; its faults stay.
  void restore(const MachineState& start, MachineState& state) const;

  /// The physical rows of Dst that it writes, in order.
  const std::vector<std::uint16_t>& rows() const { return rows_; }

 private:
  std::vector<std::uint16_t> rows_;
  bool writes_config_ = false; ///< or scalar registers
};

/// Whether an instruction changes nothing but the counters of addresses, if anything.
bool only_moves_counters(const MicroOp& op);

} // namespace lanewise::execution
