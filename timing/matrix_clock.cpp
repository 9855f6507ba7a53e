#include "timing/matrix_clock.h"

#include <algorithm>

#include "isa/encoding.h"
#include "isa/matrix_ops.h"
#include "machine/bits.h"
#include "machine/matrix/mode.h"

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
  return bit_field(op.word, 21, 21) != 0;
}

unsigned block_of(const MachineState& state, const MicroOp& op) {
  const std::uint32_t field = bit_field(op.word, 9, 0);
  const std::uint32_t row =
      field + state.config.get(isa::ConfigField::DEST_TARGET_REG_CFG_MATH_Offset) + state.rwc.dst;
  return (row & kDstRowMask) / kDstBlockRows;
}

/// What may enter while an instruction has the unit to itself, and for how long (MU 8).
struct Exclusive {
  unsigned cycles = 0;
  bool (*admits)(Op) = [](Op) { return true; };
};

Exclusive exclusive_of(Op op) {
  switch (op) {
    case Op::SHIFTXB: return {1, [](Op) { return false; }};
    case Op::MOVD2A:
    case Op::MOVB2A: return {1, [](Op next) { return next == Op::MOVD2A || next == Op::MOVB2A; }};
    case Op::MOVD2B: return {3, [](Op next) { return next == Op::MOVD2B; }};
    default: return {};
  }
}

} // namespace

bool is_matrix(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  return row != nullptr && row->unit == isa::Unit::Matrix;
}

bool reads_dst_block(const MicroOp& op) {
  return isa::is_product_or_pool(op.op) || isa::is_move_from_dst(op.op) ||
         (isa::is_element_sum(op.op) && accumulates(op));
}

std::optional<unsigned> dst_block_read(const MachineState& state, const MicroOp& op) {
  return reads_dst_block(op) ? std::optional(block_of(state, op)) : std::nullopt;
}

std::optional<unsigned> dst_block_written(const MachineState& state, const MicroOp& op) {
  const bool writes = isa::is_matrix_arithmetic(op.op) || isa::is_move_to_dst(op.op);
  return writes ? std::optional(block_of(state, op)) : std::nullopt;
}

unsigned useful_operations(const MachineState& state, const MicroOp& op) {
  constexpr unsigned kColumns = 16, kProducts = 16, kPerProduct = 2;
  constexpr unsigned kElements = 8 * kColumns;
  if (isa::is_element_sum(op.op)) return accumulates(op) ? 2 * kElements : kElements;
  if (op.op == Op::GMPOOL) return kProducts * kColumns;
  if (fidelity_phase(state) != 0) return 0;
  switch (op.op) {
    case Op::MVMUL:
    case Op::DOTPV: return kElements * kProducts * kPerProduct;
    case Op::GAPOOL: return kElements / 2 * kProducts * kPerProduct;
    case Op::ELWMUL: return kElements * kPerProduct;
    default: return 0;
  }
}

StallCause MatrixClock::stall(const MachineState& state, const MicroOp& op,
                              std::uint64_t cycle) const {
  if (exclusive_ && cycle < exclusive_until_ && !exclusive_of(*exclusive_).admits(op.op))
    return StallCause::MatrixUnit;
  const auto block = dst_block_read(state, op);
  if (!block) return StallCause::None;
  if (cycle < readable_from_[*block]) return StallCause::DstBlock;
  // MU 8: ELWADD and ELWSUB are not held here.
  if (!isa::is_element_sum(op.op) && cycle < moves_done_) return StallCause::DstBlock;
  return StallCause::None;
}

void MatrixClock::enter(const MachineState& state, const MicroOp& op, std::uint64_t cycle) {
  const isa::Row* row = isa::decode(arch_, op.word).row;
  busy_until_ = std::max(busy_until_, cycle + std::max<unsigned>(row->latency, 1));
  if (const Exclusive exclusive = exclusive_of(op.op); exclusive.cycles != 0) {
    exclusive_ = op.op;
    exclusive_until_ = cycle + 1 + exclusive.cycles;
  }
  const auto block = dst_block_written(state, op);
  if (!block) return;
  if (isa::is_move_to_dst(op.op)) {
    moves_done_ = cycle + 1 + kMoveBusy;
  } else {
    readable_from_[*block] = cycle + 1 + kBlockBusy;
  }
}

} // namespace lanewise::timing
