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
#include "report/table/table.h"

namespace lanewise::report {

/// What a file has about a kernel on a chip.
struct BaselineEntry {
  double largest = 0;                          ///< ULP
  std::optional<double> mean = std::nullopt;   ///< of the errors above 0
  std::optional<double> lost = std::nullopt;   ///< results without a number for their error
  std::optional<double> cycles = std::nullopt; ///< of a tile
};

using KernelOnChip = std::pair<std::string, Arch>;

struct Baseline {
  formats::UlpMeasure measure = formats::UlpMeasure::Line; ///< in which the file's figures are
  bool is_printed = false; ///< the figures have three digits; only those are compared
  std::map<KernelOnChip, BaselineEntry> entries = {};
  std::map<KernelOnChip, std::string> not_ulp = {}; ///< what the file has instead of a figure
  std::vector<std::string> unknown = {}; ///< operations of the file that are no kernel of ours
};

/// The figures of a file: what `accuracy --json` has written, report_index.json of
/// tt-eltwise-accuracy-report, or, by the name *.yaml or *.yml, tt-llk's budgets
/// (report/accuracy/budget_file.h). Error: BadInput with the file, and with the line in YAML, if it
/// is none of them, or not whole.
Expected<Baseline> parse_baseline(const std::string& text, const std::string& file);

/// What a run is beside a file.
struct Comparison {
  Table worse = {};                       ///< a row for each figure that is worse; empty if none is
  std::vector<std::string> left_out = {}; ///< "tan, wh: a tolerance", of the run's kernels
};

/// `growth` is the share by which cycles may grow. Error: BadInput if the file has none of the
/// kernels.
Expected<Comparison> compare_with(std::span<const AccuracyRow> rows, const Baseline& baseline,
                                  double growth);

/// "+2%" as 0.02. Error: BadInput for what is no such share.
Expected<double> parse_growth(const std::string& text);

} // namespace lanewise::report
