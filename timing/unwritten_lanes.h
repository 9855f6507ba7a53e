// Which lanes of the LRegs nobody has written, event by event.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/state.h"
#include "timing/hazard_context.h"

namespace lanewise::timing {

class UnwrittenLanes {
 public:
  /// Nothing has been written but the constants.
  explicit UnwrittenLanes(Arch arch);

  /// What something is computed from, or would be sent on.
  struct Use {
    LRegMask registers = 0;
    std::uint32_t lanes = 0; ///< in which one of them was never written
  };

  /// What the event uses, with the state at the start of its cycle. What it writes is taken over by
  /// end_cycle().
  Use look(const Event& event, const EventFacts& facts, const MachineState& state);

  /// After the last event of a cycle: all read before any writes.
  void end_cycle();

 private:
  /// For each lane the bits that nobody has written. SFPLOADI and two modes of SFPLOAD write halves
  /// of a register. Bit 31 is left out, which SFPMOV can flip.
  using Register = std::array<std::uint32_t, kLanes>;
  static constexpr std::uint32_t kLowHalf = 0x0000FFFF, kHighHalf = 0x7FFF0000;

  struct Write {
    unsigned lreg;
    Register unwritten;
    std::uint32_t lanes; ///< that it concerns
  };

  std::uint32_t unwritten_lanes(LRegMask registers) const;
  Use use_of(LRegMask registers, std::uint32_t lanes) const;
  void write(LRegMask registers, std::uint32_t lanes, std::uint32_t keeps);
  void move(const Event& event, const EventFacts& facts, const MachineState& state);

  std::array<Register, kLRegs> unwritten_{};
  std::vector<Write> writes_; ///< of the cycle at hand
  MachineState shadow_;       ///< whose registers hold unwritten bits instead of values
};

} // namespace lanewise::timing
