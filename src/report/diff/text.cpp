#include "report/diff/text.h"

#include <fmt/format.h>

#include "report/diff/tables.h"

namespace lanewise::report {

namespace {

/// Inputs whose results lie farthest apart, of each chip.
constexpr std::size_t kWorst = 5;

} // namespace

std::string diff_text(const DiffReport& report) {
  std::string text = diff_title(report) + "\n";
  const auto add = [&](std::string_view heading, const std::string& content) {
    if (!content.empty()) text += fmt::format("\n{}{}", heading, content);
  };
  if (!report.result.chips.empty()) {
    add("Second against first\n", table_text(diff_distance_table(report)));
    add("", table_text(diff_distance_figures(report)));
    add("", table_text(diff_cost_table(report)));
    add("Against the reference\n", table_text(diff_error_table(report)));
    add("", table_text(diff_error_figures(report)));
    add("Farthest apart\n", table_text(diff_worst_table(report, kWorst)));
  }
  std::string faults;
  for (const std::string& fault : diff_faults(report)) faults += fault + "\n";
  add("Faults\n", faults);
  return text;
}

} // namespace lanewise::report
