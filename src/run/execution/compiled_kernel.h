// A kernel in C++, recorded and compiled for one chip.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "source/compiler/compiler.h"
#include "source/compiler/ir.h"
#include "source/sfpi/kernel.h"

namespace lanewise::execution {

struct CompiledKernel {
  compiler::Recording recording;
  compiler::Compiled compiled;
  std::vector<std::string> source = {}; ///< lines of the kernel's file, if anybody has read it
};

/// What makes the words worthless: the first BadInput among the compiler's diagnostics, or null.
const Fault* compile_error(const compiler::Compiled& compiled);

/// Records the kernel and compiles it. Error: why it cannot be recorded, or compile_error().
Expected<CompiledKernel> compile_kernel(Arch arch, const sfpi::KernelSource& source,
                                        const compiler::Options& options);

} // namespace lanewise::execution
