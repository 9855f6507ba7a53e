// Which kernel executes an instruction.
#pragma once

#include "chip/isa/arch.h"
#include "chip/machine/kernels/level_kernels.h"
#include "chip/machine/micro_op.h"

namespace lanewise {

/// The kernel that executes what `op` says, at the x86-64 level in use; nullptr if nothing does.
/// Its word and its operands must be there.
Kernel find_kernel(Arch arch, const MicroOp& op);

/// The same at a level, searched in all lists of kernels: what find_kernel() has in its tables.
Kernel search_kernel(const LevelKernels& level, Arch arch, const MicroOp& op);

} // namespace lanewise
