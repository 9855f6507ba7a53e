// Kernels of the Scalar Unit and of the Configuration Unit that need no memory: arithmetic on
// scalar registers, and configuration read, shifted and masked (core.md 8, 9).
#pragma once

#include "chip/isa/row.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

/// The kernel of such an instruction, or nullptr if it is not one.
Kernel find_scalar_kernel(isa::Op op);

} // namespace lanewise
