// The pictures of a sweep, without colours: report/sweep/style.h has them.
#pragma once

#include <string>

#include "report/sweep/chart.h"
#include "report/sweep/report.h"

namespace lanewise::report {

/// What the errors of a picture are called.
struct ErrorWords {
  std::string title = "Error over input", near_title = "Error near 0";
  std::string y = "error, |ULP|";
  std::string exact = "largest exact error"; ///< from the reference before rounding
  /// Whether a reader who points at a part of it is told its figures: not in a picture that is an
  /// image of a page.
  bool has_tips = true;
};

/// Largest and mean |ULP| over the input and the largest exact error where there is one, all chips
/// in one field. Lost results are in a row above it: marks where some are, a hatched band where all
/// are. Chips with the same results are one curve.
std::string error_picture(const sweep::SweepResult& result, ChartSize size,
                          const ErrorWords& words = {});

/// The same for inputs near 0 on a linear axis; empty where near_inputs() has none.
std::string near_picture(const sweep::SweepResult& result, ChartSize size,
                         const ErrorWords& words = {});

/// How many results have which signed error.
std::string histogram_picture(const SweepReport& report, ChartSize size);

/// The reference as a line and results as marks, over the input.
std::string function_picture(const SweepReport& report, ChartSize size);

} // namespace lanewise::report
