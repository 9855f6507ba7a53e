// Kernels of a Vector Unit with lanes of 19 bits: Grayskull's (chip/semantics/narrow_lanes.h).
#pragma once

#include "chip/isa/op.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

/// The kernel of an instruction of Grayskull's Vector Unit, or nullptr if it is not one.
Kernel find_narrow_kernel(isa::Op op);

} // namespace lanewise
