// The front end: program words in, micro-ops out. MOP and REPLAY are expanded here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/machine/frontend/decode_memo.h"
#include "chip/machine/frontend/mop_expander.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

/// How an instruction came to the execution units.
struct Supply {
  std::uint32_t word = 0; ///< index into Program::words of the word that brought it: itself, or the
                          ///< command that expanded to it
  bool expanded = false;  ///< it came out of the MOP expander or the replay buffer
};

/// A program as the execution units see it.
struct MicroProgram {
  std::vector<MicroOp> ops;            ///< instructions in the order in which they execute
  std::vector<Supply> supply;          ///< of each of `ops`
  std::vector<std::uint32_t> computed; ///< words with ProgramWord::computed, by index
  std::vector<Fault>
      faults; ///< what is wrong already before execution: one entry per kind and source line
};

/// The MOP expander and, behind it, the replay buffer of one thread. Both outlive a program: what
/// one kernel records, the next can replay.
class FrontEnd {
 public:
  explicit FrontEnd(Arch arch) : arch_(arch), decoded_(arch) {}

  /// Expands and decodes. Never fails: instructions that cannot be executed are left out and
  /// reported.
  MicroProgram expand(const Program& program);

  void reset() { *this = FrontEnd(arch_); }

 private:
  struct Slot {
    ProgramWord word;
    bool recorded = false;
    std::uint32_t record = 0;      ///< number of the REPLAY that recorded it, from 1
    std::uint32_t record_line = 0; ///< its source line
    std::uint32_t overwritten_by =
        0;                         ///< line that recorded over a part of that recording; 0 = none
    std::uint32_t before_line = 0; ///< of the REPLAY that recorded the slot before; 0 = none
  };

  class Expansion;

  Arch arch_;
  MopExpander mop_;
  DecodeMemo decoded_;
  std::array<Slot,
             largest_of_archs([](const ArchParams& chip) { return chip.front_end.replay_slots; })>
      replay_{};
  std::uint32_t records_ = 0; ///< REPLAYs that have recorded
};

} // namespace lanewise
