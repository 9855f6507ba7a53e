#include "chip/timing/matrix_clock.h"

#include <algorithm>

#include "chip/isa/encoding.h"
#include "chip/isa/matrix_ops.h"
#include "chip/machine/matrix/mode.h"
#include "chip/machine/matrix/word.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// MU 8: a block of Dst cannot be read in the four cycles after an instruction that writes it.
constexpr unsigned kBlockBusy = 4;
/// MU 8: after MOVA2D and MOVB2D, three.
constexpr unsigned kMoveBusy = 3;
constexpr std::uint32_t kDstRowMask = 0x3FF;

/// ELWADD and ELWSUB read Dst only to accumulate.
bool accumulates(const MicroOp& op) {
  return isa::field<"AddDst", Op::ELWADD, Op::ELWSUB>(op.word) != 0;
}

/// For how many cycles an instruction has the unit to itself (MU 8).
unsigned held_cycles(isa::MatrixHold hold) {
  switch (hold) {
    case isa::MatrixHold::Free: return 0;
    case isa::MatrixHold::Alone:
    case isa::MatrixHold::ToSrcA: return 1;
    case isa::MatrixHold::ToSrcB: return 3;
  }
  return 0;
}

/// Whether another instruction may enter meanwhile.
bool admits(isa::MatrixHold hold, isa::MatrixHold next) {
  return hold != isa::MatrixHold::Alone && next == hold;
}

} // namespace

unsigned dst_block(const MachineState& state, const MicroOp& op) {
  // Arithmetic and moves have it at the same bits.
  static_assert(isa::field_place<"DstRow", Op::MVMUL, Op::MOVA2D, Op::MOVD2A>().low == 0);
  const std::uint32_t field = arithmetic_field<"DstRow">(op);
  const std::uint32_t row = field + state.config.dst_settings().offset + state.rwc.dst;
  return (row & kDstRowMask) / kDstBlockRows;
}

MatrixFacts matrix_facts(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  const unsigned latency = row == nullptr ? 1 : std::max<unsigned>(row->latency, 1);
  return {.hold = isa::matrix_hold(op.op),
          .reads_block = reads_dst_block(op),
          .writes_block = writes_dst_block(op),
          .moves_to_dst = isa::is_move_to_dst(op.op),
          .sums_elements = isa::is_element_sum(op.op),
          .computes = isa::matrix_operations(op.op) != 0,
          .latency = static_cast<std::uint8_t>(latency),
          .block_busy = static_cast<std::uint8_t>(dst_busy_cycles(op))};
}

bool is_matrix(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  return row != nullptr && row->unit == isa::Unit::Matrix;
}

bool reads_dst_block(const MicroOp& op) {
  return isa::is_product_or_pool(op.op) || isa::is_move_from_dst(op.op) ||
         (isa::is_element_sum(op.op) && accumulates(op));
}

bool writes_dst_block(const MicroOp& op) {
  return isa::is_matrix_arithmetic(op.op) || isa::is_move_to_dst(op.op);
}

unsigned dst_busy_cycles(const MicroOp& op) {
  return isa::is_move_to_dst(op.op) ? kMoveBusy : kBlockBusy;
}

std::optional<unsigned> dst_block_read(const MachineState& state, const MicroOp& op) {
  return reads_dst_block(op) ? std::optional(dst_block(state, op)) : std::nullopt;
}

std::optional<unsigned> dst_block_written(const MachineState& state, const MicroOp& op) {
  return writes_dst_block(op) ? std::optional(dst_block(state, op)) : std::nullopt;
}

unsigned useful_operations(const MachineState& state, const MicroOp& op) {
  const unsigned operations = isa::matrix_operations(op.op);
  if (isa::is_element_sum(op.op)) return accumulates(op) ? 2 * operations : operations;
  const bool has_phases = op.op != Op::GMPOOL; // the others add what is left to a product
  return has_phases && fidelity_phase(state) != 0 ? 0 : operations;
}

StallCause MatrixClock::stall(const MachineState& state, const MicroOp& op,
                              const MatrixFacts& facts, std::uint64_t cycle) const {
  if (cycle < held_until_ && !admits(held_, facts.hold)) return StallCause::MatrixUnit;
  if (!facts.reads_block) return StallCause::None;
  if (cycle < readable_from_[dst_block(state, op)]) return StallCause::DstBlock;
  // MU 8: ELWADD and ELWSUB are not held here.
  if (!facts.sums_elements && cycle < moves_done_) return StallCause::DstBlock;
  return StallCause::None;
}

void MatrixClock::enter(const MachineState& state, const MicroOp& op, const MatrixFacts& facts,
                        std::uint64_t cycle) {
  busy_until_ = std::max(busy_until_, cycle + facts.latency);
  if (facts.hold != isa::MatrixHold::Free) {
    held_ = facts.hold;
    held_until_ = cycle + 1 + held_cycles(facts.hold);
  }
  if (!facts.writes_block) return;
  const std::uint64_t readable = cycle + 1 + facts.block_busy;
  if (facts.moves_to_dst) {
    moves_done_ = readable;
  } else {
    readable_from_[dst_block(state, op)] = readable;
  }
}

bool MatrixClock::holds_like(std::uint64_t cycle, const MatrixClock& other,
                             std::uint64_t others_cycle) const {
  const auto same = [&](std::uint64_t own, std::uint64_t others) {
    return std::max(own, cycle) - cycle == std::max(others, others_cycle) - others_cycle;
  };
  for (unsigned block = 0; block < kBlocks; ++block)
    if (!same(readable_from_[block], other.readable_from_[block])) return false;
  const bool is_held = held_until_ > cycle;
  return same(moves_done_, other.moves_done_) && same(held_until_, other.held_until_) &&
         (!is_held || held_ == other.held_) && same(busy_until_, other.busy_until_);
}

} // namespace lanewise::timing
