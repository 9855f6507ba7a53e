// Figures of an earlier run, or published ones, that results must not fall behind.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "report/accuracy/table.h"

namespace lanewise::report {

/// What a file has about a kernel on a chip.
struct BaselineEntry {
  double largest = 0;                          ///< ULP
  std::optional<double> mean = std::nullopt;   ///< of the errors above 0
  std::optional<double> lost = std::nullopt;   ///< results without a number for their error
  std::optional<double> cycles = std::nullopt; ///< of a tile
};

struct Baseline {
  lab::UlpMeasure measure = lab::UlpMeasure::Line; ///< in which the file's figures are
  bool is_printed = false; ///< the figures have three digits; only those are compared
  std::map<std::pair<std::string, Arch>, BaselineEntry> entries = {}; ///< by kernel and chip
};

/// The figures of a file: what `accuracy --json` has written, or report_index.json of
/// tt-eltwise-accuracy-report. Error: BadInput with the file if it is neither, or not whole.
Expected<Baseline> parse_baseline(const std::string& text, const std::string& file);

/// A sentence for each figure that is worse than in the file; `growth` is the share by which cycles
/// may grow. Error: BadInput if the file has none of the kernels.
Expected<std::vector<std::string>> falls_behind(std::span<const AccuracyRow> rows,
                                                const Baseline& baseline, double growth);

/// "+2%" as 0.02. Error: BadInput for what is no such share.
Expected<double> parse_growth(const std::string& text);

} // namespace lanewise::report
