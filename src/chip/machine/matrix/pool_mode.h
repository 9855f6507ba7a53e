// In which way GMPOOL and the legacy maximum pools read and write (MU 7).
#pragma once

#include <cstdint>

#include "chip/machine/matrix/arithmetic.h"
#include "chip/semantics/matrix_maximum.h"

namespace lanewise {

struct PoolMode {
  semantics::PoolFormat source, dst;
  bool wide;                   ///< 32-bit Dst
  bool indexed;                ///< the low half of Dst takes an index
  std::uint32_t source_to_dst; ///< rebias from FP16 to TF32
};

/// The mode of such an instruction in the mode of the Matrix Unit.
PoolMode pool_mode(const MatrixMode& mode, const MicroOp& op);

/// The operands of such an instruction.
MatrixOperands pool_operands(MachineState& state, const MicroOp& op);

} // namespace lanewise
