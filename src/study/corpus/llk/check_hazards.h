// The kernels of a checkout of tt-llk through the checker.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/limits.h"
#include "run/execution/check_program.h"
#include "source/compiler/options.h"
#include "study/corpus/llk/coverage.h"
#include "study/parts/shared_work.h"

namespace lanewise::corpus {

struct LlkCheckoutCheck {
  std::string folder;
  std::vector<std::string> kernels; ///< by name or header; all if empty
  std::span<const Arch> chips;
  compiler::Options compiler;
  ProcessLimits limits = kKernelLimits;
  timing::PauseSearch pauses = timing::PauseSearch::Quick;
  parts::SharedWork* work = nullptr; ///< the kernels of this run, as items; nullptr: all
  parts::Json key = {};              ///< of them: the options of a run, in any form
};

/// What is in a checkout, and its kernels that were checked.
struct CheckedCheckout {
  std::vector<LlkHeader> headers;
  std::vector<execution::CheckedProgram> programs = {};
};

/// Checks the kernels of a checkout of tt-llk in all their configurations. A kernel that does not
/// compile has its failure in the result. `progress` is called before each kernel; false stops.
/// Error: BadInput if the folder is no checkout, or has no such kernel.
Expected<CheckedCheckout> check_llk_checkout(
    const LlkCheckoutCheck& check,
    const std::function<bool(std::size_t done, std::size_t all, const std::string&)>& progress);

} // namespace lanewise::corpus
