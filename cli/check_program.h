// One program through the checker: everything that says how many hazards there are asks here.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/limits.h"
#include "compiler/options.h"
#include "corpus/llk/coverage.h"
#include "execution/tile_runner.h"
#include "execution/unprogrammed.h"
#include "isa/program.h"
#include "report/check/hazard_report.h"

namespace lanewise::cli {

/// What 'check', 'time' and 'run' say of a program that was scheduled on a tile of zeros: executes
/// it, and looks for hazards and for contracts between kernels that it breaks. `filled`: the tiles
/// of Dst that are inputs, if that is known.
report::CheckedProgram check_program(const lab::TimedProgram& timed, const Program& program,
                                     const lab::FilledTiles& filled = std::nullopt);

/// The same from the beginning, with what a tile costs. Error: BadInput if a .cfg setting is wrong.
Expected<report::CheckedProgram> check_and_cost(Arch arch, const Program& program,
                                                const lab::TileRunOptions& options,
                                                const lab::FilledTiles& filled = std::nullopt);

struct LlkCheckoutCheck {
  std::string folder;
  std::vector<std::string> kernels; ///< by name or header; all if empty
  std::span<const Arch> chips;
  compiler::Options compiler;
  ProcessLimits limits = kKernelLimits;
};

/// What is in a checkout, and its kernels that were checked.
struct CheckedCheckout {
  std::vector<lab::LlkHeader> headers;
  std::vector<report::CheckedProgram> programs = {};
};

/// Checks the kernels of a checkout of tt-llk in all their configurations. A kernel that does not
/// compile has its failure in the result. `progress` is called before each kernel; false stops.
/// Error: BadInput if the folder is no checkout, or has no such kernel.
Expected<CheckedCheckout> check_llk_checkout(
    const LlkCheckoutCheck& check,
    const std::function<bool(std::size_t done, std::size_t all, const std::string&)>& progress);

} // namespace lanewise::cli
