// The front end: program words in, micro-ops out. REPLAY is expanded here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/arch.h"
#include "isa/fault.h"
#include "isa/program.h"
#include "machine/micro_op.h"

namespace lanewise {

/// A program as the execution units see it.
struct MicroProgram {
  std::vector<MicroOp> ops; ///< instructions in the order in which they execute
  std::vector<Fault>
      faults; ///< what is wrong already before execution: one entry per kind and source line
};

/// The replay buffer of one thread. It outlives a program: what one kernel records, the next can
/// replay.
class FrontEnd {
 public:
  explicit FrontEnd(Arch arch) : arch_(arch) {}

  /// Expands and decodes. Never fails: instructions that cannot be executed are left out and
  /// reported.
  MicroProgram expand(const Program& program);

  void reset() { *this = FrontEnd(arch_); }

 private:
  struct Slot {
    ProgramWord word;
    bool recorded = false;
  };

  class Expansion;

  Arch arch_;
  std::array<Slot, 32> replay_{};
};

static_assert(kBlackhole.replay_slots == 32 && kWormhole.replay_slots == 32);

} // namespace lanewise
