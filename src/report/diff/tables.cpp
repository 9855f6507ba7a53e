#include "report/diff/tables.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "chip/timing/harness.h"
#include "report/plain_number.h"
#include "report/sweep/errors.h"
#include "report/sweep/headline.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using sweep::DiffStatistics;

std::vector<ErrorColumn> distance_columns(const sweep::DiffResult& result) {
  std::vector<ErrorColumn> columns;
  for (const DiffStatistics& chip : result.chips)
    columns.push_back({chip_name(chip.arch), &chip.distance});
  return columns;
}

/// "bh first", "bh second", "wh first", ...
std::vector<ErrorColumn> error_columns(const sweep::DiffResult& result) {
  std::vector<ErrorColumn> columns;
  for (std::size_t i = 0; i < result.first_errors.size() && i < result.second_errors.size(); ++i) {
    const std::string chip = chip_name(result.first_errors[i].arch);
    columns.push_back({chip + " first", &result.first_errors[i].error});
    columns.push_back({chip + " second", &result.second_errors[i].error});
  }
  return columns;
}

/// Where a program stores only a part of the tile, few of the inputs tell anything.
std::string part_sentence(const DiffStatistics& chip) {
  const double first = chip.first.rows, second = chip.second.rows;
  const auto is_part = [](double rows) { return rows > 0 && rows < timing::kRowsPerTile; };
  if (!is_part(first) && !is_part(second)) return "";
  return fmt::format(
      "{}: a pass stores {} of the {} rows of a tile in the first, {} in the second: inputs in "
      "the other rows are results as they are",
      chip_name(chip.arch), number(first), timing::kRowsPerTile, number(second));
}

} // namespace

std::string change_text(double first, double second) {
  if (first == second) return "same";
  if (std::isnan(first) || std::isnan(second)) return "unknown";
  const double change = second - first;
  std::string text = (change > 0 ? "+" : "") + number(change);
  if (first == 0) return text;
  return fmt::format("{} ({:+.1f} %)", text, 100 * change / first);
}

std::string diff_inputs(const DiffReport& report) {
  const sweep::DiffResult& result = report.result;
  std::string text = fmt::format("{} to {}, {}: {}", formats::format_name(result.format),
                                 formats::format_name(result.output_format),
                                 sweep::to_string(result.space), counted(result.total, "input"));
  if (result.done != result.total)
    text += fmt::format("; stopped after {} of {}", result.done, result.total);
  return text;
}

std::vector<std::string> diff_sentences(const DiffReport& report) {
  std::vector<std::string> sentences = result_sentences(report.result);
  for (const DiffStatistics& chip : report.result.chips) {
    if (std::string sentence = part_sentence(chip); !sentence.empty())
      sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::vector<std::string> diff_faults(const DiffReport& report) {
  std::vector<std::string> texts;
  const auto add = [&](Arch arch, const DiffStatistics::Side& side, std::string_view name) {
    for (const std::string& fault : fault_texts(arch, side.faults))
      texts.push_back(fmt::format("{}: {}", name, fault));
  };
  for (const DiffStatistics& chip : report.result.chips) {
    add(chip.arch, chip.first, "first");
    add(chip.arch, chip.second, "second");
  }
  return texts;
}

std::string diff_title(const DiffReport& report) {
  std::string text = fmt::format("first: {}\nsecond: {}\n", report.first_name, report.second_name);
  if (!report.reference.empty()) text += fmt::format("reference: {}\n", report.reference);
  text += diff_inputs(report);
  for (const std::string& sentence : diff_sentences(report)) text += "\n" + sentence;
  return text;
}

Table diff_cost_table(const DiffReport& report) {
  Table table{"", {{"", 1}}, {{"", ColumnKind::Text}}, {}};
  for (const DiffStatistics& chip : report.result.chips) {
    table.groups.push_back({chip_name(chip.arch), 3});
    for (const char* heading : {"first", "second", "change"})
      table.columns.push_back({heading, ColumnKind::Number});
  }
  const auto add = [&](const char* name, double DiffStatistics::Side::*figure) {
    std::vector<TableCell> row{name};
    for (const DiffStatistics& chip : report.result.chips) {
      const double first = chip.first.*figure, second = chip.second.*figure;
      row.emplace_back(number(first));
      row.emplace_back(number(second));
      row.emplace_back(change_text(first, second));
    }
    table.rows.push_back(std::move(row));
  };
  add("words", &DiffStatistics::Side::words);
  add("instructions per tile", &DiffStatistics::Side::instructions);
  add("cycles of init, once", &DiffStatistics::Side::init_cycles);
  add("cycles per tile", &DiffStatistics::Side::cycles);
  return table;
}

Table diff_distance_table(const DiffReport& report) {
  Table table = ulp_row_table("", distance_columns(report.result));
  std::vector<TableCell> changed{"bits changed"};
  for (const DiffStatistics& chip : report.result.chips) {
    changed.emplace_back(std::to_string(chip.changed));
    changed.emplace_back(percent_text(chip.changed, chip.inputs));
  }
  table.rows.insert(table.rows.begin(), std::move(changed));
  return table;
}

Table diff_distance_figures(const DiffReport& report) {
  const sweep::DiffResult& result = report.result;
  return error_figure_table(result.format, result.operands, distance_columns(result),
                            result.measure, false);
}

Table diff_error_table(const DiffReport& report) {
  const std::vector<ErrorColumn> columns = error_columns(report.result);
  return columns.empty() ? Table{} : ulp_row_table("", columns);
}

Table diff_error_figures(const DiffReport& report) {
  const sweep::DiffResult& result = report.result;
  const std::vector<ErrorColumn> columns = error_columns(result);
  return columns.empty()
             ? Table{}
             : error_figure_table(result.format, result.operands, columns, result.measure, true);
}

Table diff_worst_table(const DiffReport& report, std::size_t most) {
  const sweep::DiffResult& result = report.result;
  std::vector<WorstCases> worst;
  for (const DiffStatistics& chip : result.chips)
    worst.push_back({chip_name(chip.arch), &chip.worst});
  return worst_case_table({.format = result.format,
                           .output_format = result.output_format,
                           .measure = result.measure,
                           .operands = result.operands,
                           .has_reference = false,
                           .most = most},
                          worst);
}

} // namespace lanewise::report
