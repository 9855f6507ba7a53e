// What each x86-64 level has in place of the other ones: kernels/level.cpp and
// kernels/matrix_level.cpp, compiled for it.
#pragma once

#include "chip/isa/arch.h"
#include "chip/isa/op.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/row.h"

namespace lanewise {

/// Whether the lane kernel of an instruction depends on its operands. For all others, the opcode
/// says which it is (chip/machine/frontend/kernel_table.h).
constexpr bool operands_choose_kernel(isa::Op op) {
  const bool multiplies = op == isa::Op::SFPMAD || op == isa::Op::SFPADD || op == isa::Op::SFPMUL;
  const bool accesses =
      op == isa::Op::SFPLOAD || op == isa::Op::SFPLOADMACRO || op == isa::Op::SFPSTORE;
  return multiplies || accesses;
}

/// Kernels of one level, each nullptr for an instruction that has none.
struct LevelKernels {
  Kernel (*lane)(Arch arch, const MicroOp& op);
  Kernel (*matrix)(Arch arch, isa::Op op);
  /// What RowHost::multiply_add is (chip/machine/row.h).
  MultiplyAdd (*multiply_add)(Arch arch);
  Kernel begin_hold, end_hold, release; ///< kernels/hold.h
};

// nullptr for a level that this build does not have (kernels/absent_level.cpp).
namespace baseline {
const LevelKernels* level_kernels();
}
namespace v3 {
const LevelKernels* level_kernels();
}
namespace v4 {
const LevelKernels* level_kernels();
}

} // namespace lanewise
