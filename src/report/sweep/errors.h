// Errors of several columns (chips, programs, ways to store) beside each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/table/table.h"
#include "study/sweep/sweep.h"

namespace lanewise::report {

struct ErrorColumn {
  std::string heading; ///< "bh"
  const sweep::UlpStatistics* errors = nullptr;
};

/// "0", "1", "2", "3-10", "11-100", "over 100".
std::string ulp_row_name(std::size_t row);

/// A row for each of kUlpRows with count and percent, and one for lost results if there are any.
Table ulp_row_table(std::string title, const std::vector<ErrorColumn>& columns);

/// Rows for the largest error and where it is, the mean, the same against the reference before
/// rounding if there is one and the measure has that, and for lost results and those of another
/// kind if there are any. One column for each heading.
Table error_figure_table(formats::Format format, unsigned operands,
                         const std::vector<ErrorColumn>& columns, formats::UlpMeasure measure,
                         bool has_reference);

/// Sentences that are the same for several chips become one: "bh, wh: ...".
std::vector<std::string> by_chip(const std::vector<std::pair<Arch, std::string>>& sentences);

/// "bh: ..." for each fault.
std::vector<std::string> fault_texts(Arch arch, const std::vector<Fault>& faults);

/// A table of the worst inputs of several chips.
struct WorstCases {
  std::string heading; ///< "bh"
  const std::vector<sweep::SweepCase>* cases = nullptr;
};
struct WorstCaseOptions {
  formats::Format format = formats::Format::BF16, output_format = formats::Format::BF16;
  formats::UlpMeasure measure = formats::UlpMeasure::Line;
  unsigned operands = 1;
  bool has_reference = true; ///< else the first program stands for it
  std::size_t most = 0;      ///< for each chip
};
Table worst_case_table(const WorstCaseOptions& options, const std::vector<WorstCases>& worst);

} // namespace lanewise::report
