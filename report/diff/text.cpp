#include "report/diff/text.h"

#include <fmt/format.h>

#include "report/diff/tables.h"
#include "report/sweep/errors.h"

namespace lanewise::report {

namespace {

/// Inputs whose results lie farthest apart, of each chip.
constexpr std::size_t kWorst = 5;

std::string faults_of(const DiffReport& report) {
  std::string text;
  const auto add = [&](Arch arch, const lab::DiffStatistics::Side& side, std::string_view name) {
    for (const std::string& fault : fault_texts(arch, side.faults))
      text += fmt::format("{}: {}\n", name, fault);
  };
  for (const lab::DiffStatistics& chip : report.result.chips) {
    add(chip.arch, chip.first, "first");
    add(chip.arch, chip.second, "second");
  }
  return text;
}

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
  add("Faults\n", faults_of(report));
  return text;
}

} // namespace lanewise::report
