// Kernels of several chips, recorded and compiled together.
#pragma once

#include <span>
#include <vector>

#include "run/execution/compiled_kernel.h"
#include "source/sfpi/chip_kernels.h"

namespace lanewise::execution {

/// What compile_kernel() gives for each of them, in their order; g++ compiles them at the same
/// time. Error: that of the first that has one.
Expected<std::vector<CompiledKernel>> compile_kernels(std::span<const sfpi::ChipKernel> kernels,
                                                      const compiler::Options& options);

} // namespace lanewise::execution
