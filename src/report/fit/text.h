// What 'lanewise fit' found, for the terminal.
#pragma once

#include <string>

#include "report/fit/report.h"

namespace lanewise::report {

/// Coefficients or lines, the bound of their error, and what the kernel's sweep came to on each
/// chip; then the kernel, unless it is in a file.
std::string fit_text(const FitReport& report);

} // namespace lanewise::report
