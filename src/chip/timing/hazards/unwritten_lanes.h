// Which lanes of the LRegs nobody has written, operation by operation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/isa/effects.h"
#include "chip/machine/state.h"
#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

class UnwrittenLanes {
 public:
  /// Nothing has been written but the constants.
  explicit UnwrittenLanes(Arch arch);

  /// Where a register that is not as written as it looks comes from.
  struct Origin {
    LRegMask registers = 0;            ///< that were never written
    const MicroOp* computed = nullptr; ///< the first operation that read one; nullptr = none has
  };

  /// What leaves the lanes: it is stored, configured, or decides flags. Of the constants, whatever
  /// is read.
  struct Use {
    LRegMask registers = 0;
    std::uint32_t lanes = 0; ///< in which one of them was never written
    Origin origin = {};      ///< of the first of them
  };

  /// What an operation, which is remembered where it is, uses, with the state at the start of its
  /// cycle. What it writes is taken over by
  /// end_cycle(). An operation hands on what its operands lack, lane by lane.
  Use look(const Executed& executed, const EventFacts& facts, const MachineState& state);

  /// Registers of which some lane is as never written, behind the cycles that have ended. Who
  /// touches none of them, hands nothing to other lanes and is alone in its cycle changes nothing.
  LRegMask lacking() const { return lacking_; }

  /// After the last operation of a cycle: all read before any writes.
  void end_cycle() {
    if (!writes_.empty()) apply_writes();
  }

 private:
  /// Lanes whose lower or upper half nobody has written: SFPLOADI and two modes of SFPLOAD write
  /// halves of a register.
  struct Register {
    std::uint32_t low = 0, high = 0;

    std::uint32_t lacking() const { return low | high; }
  };
  /// The bits that stand for a half where an instruction moves them. Bit 31 is left out, which
  /// SFPMOV can flip.
  static constexpr std::uint32_t kLowHalf = 0x0000FFFF, kHighHalf = 0x7FFF0000;

  struct Write {
    unsigned lreg;
    Register unwritten;
    std::uint32_t lanes; ///< that it concerns
    Origin origin;
  };

  void apply_writes();
  /// The registers of which some lane is lacking, as there are no writes of this cycle.
  void note_lacking();
  std::uint32_t unwritten_lanes(LRegMask registers) const;
  Use use_of(LRegMask registers, std::uint32_t lanes) const;
  Origin origin_of(LRegMask registers, std::uint32_t lanes) const;
  void write(LRegMask registers, std::uint32_t lanes, isa::WrittenHalf half);
  void compute(const MicroOp& op, const EventFacts& facts, std::uint32_t lanes);
  void move(const MicroOp& op, const EventFacts& facts, const MachineState& state);

  std::array<Register, kLRegs> unwritten_{};
  std::array<Origin, kLRegs> origin_{};
  LRegMask lacking_ = 0;      ///< registers of which some lane is
  std::vector<Write> writes_; ///< of the cycle at hand
  MachineState shadow_;       ///< whose registers hold unwritten bits instead of values
};

} // namespace lanewise::timing
