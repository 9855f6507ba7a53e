// Moves between SrcA, SrcB and Dst (MU 7).
#pragma once

#include "chip/isa/row.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

/// The kernel of MOVA2D, MOVDBGA2D, MOVB2D, MOVD2A, MOVD2B or MOVB2A, or nullptr.
Kernel find_matrix_move_kernel(isa::Op op);

} // namespace lanewise
