// The kernels of a program as shared objects of the host, one for each core that runs one, or as
// programs of the cores: with the headers of a checkout of tt-metal, in its order and with its
// macros (jit_build/build.cpp), or with Lanewise's own.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "source/checkouts/checkout.h"
#include "source/programs/grid.h"
#include "source/programs/layout.h"
#include "source/programs/program.h"
#include "source/programs/start.h"
#include "source/sfpi/kernel.h"

namespace lanewise::programs {

struct CompileSettings {
  /// Whose headers kernels include; without one, Lanewise's own (own_headers.h).
  std::optional<checkouts::Checkout> checkout;
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

/// The kernels of a program on many cores, by CoreProgram::group. Error: as compile_program().
Expected<std::vector<ProgramObjects>> compile_groups(const std::vector<CoreProgram>& cores,
                                                     const CompileSettings& settings);

/// The same kernels as RV32 programs of the cores themselves, for a run in time: ELF files, by
/// group and core. Their code lies beyond L1, where nothing else is; what they are started with
/// lies in L1, below everything that programs use. Error: BadInput, as above, and if there is no
/// compiler for RV32.
Expected<std::vector<ProgramObjects>> compile_groups_for_cores(
    const std::vector<CoreProgram>& cores, const CompileSettings& settings);

} // namespace lanewise::programs
