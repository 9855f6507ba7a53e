// A sweep for the terminal.
#pragma once

#include <cstdint>
#include <string>

#include "report/sweep/report.h"

namespace lanewise::report {

struct SweepTextOptions {
  std::uint64_t worst = 5; ///< cases to show for each chip
  bool decades = true;     ///< the table per decade of input
};

/// Tables with one column (or group of columns) per chip, side by side: ULP rows, before the store,
/// largest, mean, where; classes of inputs and special values; monotonicity and symmetry; decades;
/// worst inputs. Then the gates.
std::string sweep_text(const SweepReport& report, const SweepTextOptions& options);

} // namespace lanewise::report
