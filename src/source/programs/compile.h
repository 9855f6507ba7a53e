// The kernels of a program as shared objects of the host, one for each core that runs one: with the
// headers of a checkout of tt-metal, in its order and with its macros (jit_build/build.cpp).
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "base/limits.h"
#include "source/checkouts/checkout.h"
#include "source/programs/layout.h"
#include "source/programs/program.h"
#include "source/programs/start.h"
#include "source/sfpi/kernel.h"

namespace lanewise::programs {

struct CompileSettings {
  checkouts::Checkout checkout;
  ProcessLimits limits = kKernelLimits;
  bool tells_accesses = true; ///< kernels that move data tell what they do to memory
};

/// By core; empty where nothing runs.
struct ProgramObjects {
  std::array<std::filesystem::path, kCores> object;
  std::array<std::string, kCores> source; ///< the file that the kernel's lines are of
  int epoch = sfpi::kDefaultEpoch;        ///< the release of SFPI
  bool tells_accesses = false;            ///< as CompileSettings says
};

/// Compiled side by side, or from the cache. Error: BadInput, which names kernel and core.
Expected<ProgramObjects> compile_program(const Program& program, const Layout& layout,
                                         const CompileSettings& settings);

} // namespace lanewise::programs
