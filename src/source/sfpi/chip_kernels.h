// Kernels of several chips, recorded together: their sources need not be the same.
#pragma once

#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "source/compiler/ir.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {

struct ChipKernel {
  Arch arch;
  KernelSource source;
};

/// What record_kernel() gives for each of them. g++ compiles them at the same time.
std::vector<Expected<compiler::Recording>> record_kernels(std::span<const ChipKernel> kernels);

} // namespace lanewise::sfpi
