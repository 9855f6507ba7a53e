// Many kernels in one table: what each costs as written, without macros and with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/tune/tune.h"

namespace lanewise::report {

struct TunedKernel {
  std::string name;
  /// Without and with SFPLOADMACRO; nothing where the kernel is refused.
  std::optional<tune::TuneResult> plain_form, macro_form;
  std::string refusal = {};
  std::string largest_error = {}; ///< "1 ULP against tanh(x)"; empty if there is no reference
};

/// In Markdown. Cycles are per row, and per tile with the constant of the harness llk-bench (on
/// Wormhole wh-replay); "optimal" where the interval is that of the lowest resource bound.
std::string tune_table(const std::vector<TunedKernel>& kernels);

} // namespace lanewise::report
