// The Matrix Unit's part of the clock: what keeps an instruction waiting at the Wait Gate (MU 8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chip/isa/effects.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

inline constexpr unsigned kDstBlockRows = 8; ///< rows of Dst that are guarded together (MU 8)

/// Whether an instruction is of the Matrix Unit.
bool is_matrix(Arch arch, const MicroOp& op);

/// The aligned block of 8 logical rows of Dst that it reads (adds to, compares with or moves), or
/// writes; nothing if it does neither.
std::optional<unsigned> dst_block_read(const MachineState& state, const MicroOp& op);
std::optional<unsigned> dst_block_written(const MachineState& state, const MicroOp& op);

/// Whether it reads, or writes, rows of Dst at all.
bool reads_dst_block(const MicroOp& op);
bool writes_dst_block(const MicroOp& op);

/// For how many cycles after it has entered the rows that it writes cannot be read (MU 8).
unsigned dst_busy_cycles(const MicroOp& op);

/// Multiplications and additions that an instruction contributes to the result, as MU 8 counts
/// them: each product once, in fidelity phase 0.
unsigned useful_operations(const MachineState& state, const MicroOp& op);

/// What the clock asks of an instruction of the Matrix Unit.
struct MatrixFacts {
  isa::MatrixHold hold = isa::MatrixHold::Free;
  bool reads_block = false, writes_block = false;
  bool moves_to_dst = false, sums_elements = false;
  bool computes = false;       ///< useful_operations() may be other than 0
  std::uint8_t latency = 1;    ///< cycles in which the unit is not idle
  std::uint8_t block_busy = 0; ///< dst_busy_cycles()
};
MatrixFacts matrix_facts(Arch arch, const MicroOp& op);

/// The block of Dst at which an instruction looks, if it reads or writes one.
unsigned dst_block(const MachineState& state, const MicroOp& op);

/// One instruction per cycle enters the unit, in order; results in Dst are guarded by blocks of 8
/// rows. Ownership of source banks is not waited for: no other thread is there that could hand them
/// over.
class MatrixClock {
 public:
  explicit MatrixClock(Arch arch) : arch_(arch) {}

  /// Why it cannot enter in this cycle.
  StallCause stall(const MachineState& state, const MicroOp& op, const MatrixFacts& facts,
                   std::uint64_t cycle) const;
  StallCause stall(const MachineState& state, const MicroOp& op, std::uint64_t cycle) const {
    return stall(state, op, matrix_facts(arch_, op), cycle);
  }

  /// It enters in this cycle.
  void enter(const MachineState& state, const MicroOp& op, const MatrixFacts& facts,
             std::uint64_t cycle);
  void enter(const MachineState& state, const MicroOp& op, std::uint64_t cycle) {
    enter(state, op, matrix_facts(arch_, op), cycle);
  }

  /// Whether it keeps instructions waiting from `cycle` on as `other` does from its cycle on.
  bool holds_like(std::uint64_t cycle, const MatrixClock& other, std::uint64_t others_cycle) const;

  /// First cycle in which all results are there.
  std::uint64_t busy_until() const { return busy_until_; }

 private:
  static constexpr unsigned kBlocks = 128; ///< of 8 rows, in 1024

  Arch arch_;
  std::array<std::uint64_t, kBlocks> readable_from_{}; ///< cycle, by block
  std::uint64_t moves_done_ = 0; ///< after MOVA2D, MOVB2D: cycle from which Dst may be read
  isa::MatrixHold held_ = isa::MatrixHold::Free; ///< by the last instruction that keeps others out
  std::uint64_t held_until_ = 0;
  std::uint64_t busy_until_ = 0;
};

} // namespace lanewise::timing
