// The pictures of a sweep, without colours: report/sweep/style.h has them.
#pragma once

#include <string>

#include "report/sweep/chart.h"
#include "report/sweep/report.h"

namespace lanewise::report {

/// Largest and mean |ULP| over the input, all chips in one field; lost results in a row above it.
std::string error_picture(const SweepReport& report, ChartSize size);

/// How many results have which signed error.
std::string histogram_picture(const SweepReport& report, ChartSize size);

/// The reference as a line and results as marks, over the input.
std::string function_picture(const SweepReport& report, ChartSize size);

} // namespace lanewise::report
