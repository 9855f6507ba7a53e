#include "chip/timing/without_values.h"

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/matrix_ops.h"
#include "chip/machine/control.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/matrix/control.h"
#include "chip/timing/access.h"
#include "chip/timing/matrix_clock.h"

namespace lanewise::timing {

namespace {

using isa::Op;

/// What a schedule looks at, or what becomes it.
constexpr unsigned kFollowed =
    isa::part::kCounters | isa::part::kConfig | isa::part::kVectorConfig | isa::part::kScalar;

/// Whether ADDR_MOD is all that its values do not decide, and the rest is much work.
bool moves_by_addr_mod(Arch arch, const MicroOp& op) {
  return is_matrix(arch, op) && (isa::is_matrix_arithmetic(op.op) || isa::is_move_to_dst(op.op) ||
                                 isa::is_move_from_dst(op.op));
}

/// Whether an SFPCONFIG writes LReg[11..14], of which no schedule knows.
bool writes_constant(Arch arch, const MicroOp& op) {
  return isa::lregs_written(arch, op.word) != 0;
}

} // namespace

Remainder remainder_of(Arch arch, const MicroOp& op) {
  if (op.kernel == no_effect) return Remainder::Nothing;
  if (op.kernel == template_write) return Remainder::Instruction;
  if (is_load(op)) return Remainder::Load;
  if (is_store(op)) return Remainder::Store;
  if (moves_by_addr_mod(arch, op)) return Remainder::Matrix;
  if (op.op == Op::SFPCONFIG && writes_constant(arch, op)) return Remainder::Nothing;
  return (isa::parts_written(op.op) & kFollowed) != 0 ? Remainder::Instruction : Remainder::Nothing;
}

void execute_remainder(MachineState& state, const MicroOp& op, Remainder remainder) {
  switch (remainder) {
    case Remainder::Nothing: return;
    case Remainder::Load: {
      const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(op.mod));
      if (!has_plain_address(state, op, mode)) load_address(state, op, mode);
      if (!counters_stay(state, op)) finish_load(state, op);
      return;
    }
    case Remainder::Store: {
      const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(op.mod));
      if (!has_plain_address(state, op, mode) || !counters_stay(state, op))
        finish_store(state, op, mode);
      return;
    }
    case Remainder::Matrix: return apply_matrix_addr_mod(state, op);
    case Remainder::Instruction: return op.kernel(state, op);
  }
}

bool configures_by_values(Arch arch, const MicroOp& op, bool all_lanes) {
  if (op.op != Op::SFPCONFIG || writes_constant(arch, op)) return false;
  return !all_lanes || isa::lregs_read(arch, op.word) != 0;
}

} // namespace lanewise::timing
