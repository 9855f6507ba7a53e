#include "report/sweep/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "number/tensors/tile.h"
#include "report/plain_number.h"
#include "report/sweep/errors.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using sweep::SweepStatistics;

/// The results of each chip, and what rounding before the store would have left if `with_store`.
std::vector<ErrorColumn> error_columns(const SweepReport& report, bool with_store) {
  std::vector<ErrorColumn> columns;
  for (const SweepStatistics& chip : report.result.chips) {
    columns.push_back({chip_name(chip.arch), &chip.error});
    if (with_store && chip.before_store)
      columns.push_back({chip_name(chip.arch) + ", rounded", &*chip.before_store});
  }
  return columns;
}

std::string formats_text(const sweep::SweepResult& result) {
  const std::string input(formats::format_name(result.format));
  return result.format == result.output_format
             ? input
             : fmt::format("{} to {}", input, formats::format_name(result.output_format));
}

std::string space_text(const sweep::SweepResult& result) {
  std::string text = sweep::to_string(result.space);
  if (text != "every") return text;
  return result.operands == 1 ? "every input" : "every pair of inputs";
}

template <class TextOf>
void add_row(Table& table, const SweepReport& report, const std::string& name,
             const TextOf& text_of) {
  std::vector<TableCell> row{name};
  for (const SweepStatistics& chip : report.result.chips) row.emplace_back(text_of(chip));
  table.rows.push_back(std::move(row));
}

std::string store_sentence(const sweep::UlpStatistics& stored,
                           const sweep::UlpStatistics& rounded) {
  if (stored.largest == rounded.largest && stored.sum == rounded.sum && stored.lost == rounded.lost)
    return "rounding before the store would change nothing.";
  const bool helps = rounded.largest <= stored.largest && rounded.lost <= stored.lost &&
                     rounded.sum.value() < stored.sum.value();
  const auto figures = [](const sweep::UlpStatistics& errors) {
    return fmt::format("(mean {}{})", ulp_text(errors.mean()),
                       errors.lost == 0 ? "" : fmt::format(", {} lost", errors.lost));
  };
  return fmt::format("{} at most {} ULP {} instead of {} {}.",
                     helps ? "the store truncates: rounding before it would leave"
                           : "rounding before the store would not help: it would leave",
                     ulp_count_text(rounded.largest), figures(rounded),
                     ulp_count_text(stored.largest), figures(stored));
}

/// "inf gives nan, not 1".
std::string deviation_text(const sweep::SweepResult& result, const sweep::SweepCase& at) {
  std::string operands = value_text(result.format, at.x);
  if (result.operands > 1) operands += ", " + value_text(result.format, at.y);
  return fmt::format("{} gives {}, not {}", operands, value_text(result.output_format, at.found),
                     value_text(result.output_format, at.expected));
}

} // namespace

std::string sweep_title(const SweepReport& report) {
  return fmt::format("{} against {}", report.name, report.reference);
}

std::string sweep_inputs(const SweepReport& report) {
  const sweep::SweepResult& result = report.result;
  std::string text = fmt::format("{}, {}: {}", formats_text(result), space_text(result),
                                 counted(result.total, "input"));
  if (!result.complete())
    text += fmt::format("; stopped after {} of {}", result.done, result.total);
  if (!report.domain.empty()) {
    const std::uint64_t outside = result.chips.empty() ? 0 : result.chips.front().outside;
    text += fmt::format("; where {}, which leaves out {}", report.domain, outside);
  }
  return text;
}

Table ulp_table(const SweepReport& report) {
  return ulp_row_table("", error_columns(report, true));
}

Table figure_table(const SweepReport& report) {
  const sweep::SweepResult& result = report.result;
  Table table = error_figure_table(result.format, result.operands, error_columns(report, false),
                                   result.measure, true);
  add_row(table, report, "zeros with another sign",
          [](const SweepStatistics& chip) { return std::to_string(chip.zero_signs); });
  const auto add_count = [&](const std::string& name, std::uint64_t SweepStatistics::*count) {
    if (std::any_of(result.chips.begin(), result.chips.end(),
                    [&](const SweepStatistics& chip) { return chip.*count != 0; }))
      add_row(table, report, name,
              [&](const SweepStatistics& chip) { return std::to_string(chip.*count); });
  };
  add_count("reference undecided", &SweepStatistics::undecided);
  add_row(table, report, "instructions per tile",
          [](const SweepStatistics& chip) { return number(chip.instructions); });
  add_row(table, report, "cycles of init, once",
          [](const SweepStatistics& chip) { return number(chip.init_cycles); });
  add_row(table, report, "cycles per tile",
          [](const SweepStatistics& chip) { return number(chip.cycles); });
  add_row(table, report, "cycles per input", [](const SweepStatistics& chip) {
    const double cycles = chip.cycles / tensors::kTileElements;
    return std::isnan(cycles) ? number(cycles) : fmt::format("{:.3f}", cycles);
  });
  return table;
}

std::vector<std::string> store_sentences(const SweepReport& report) {
  std::vector<std::pair<Arch, std::string>> sentences;
  for (const SweepStatistics& chip : report.result.chips) {
    if (chip.before_store && chip.error.count() != 0)
      sentences.emplace_back(chip.arch, store_sentence(chip.error, *chip.before_store));
  }
  return by_chip(sentences);
}

Table class_table(const SweepReport& report) {
  struct Kind {
    std::string name;
    sweep::ClassStatistics SweepStatistics::*of;
  };
  static const std::array kKinds{Kind{"denormal inputs", &SweepStatistics::denormal},
                                 Kind{"infinite inputs", &SweepStatistics::infinite},
                                 Kind{"NaN inputs", &SweepStatistics::nan},
                                 Kind{"reference is NaN", &SweepStatistics::expected_nan}};
  const sweep::SweepResult& result = report.result;
  Table table{"", {{"", 1}}, {{"", ColumnKind::Text}}, {}};
  for (const SweepStatistics& chip : result.chips) {
    table.groups.push_back({chip_name(chip.arch), 3});
    table.columns.push_back({"inputs", ColumnKind::Number});
    table.columns.push_back({"differ", ColumnKind::Number});
    table.columns.push_back({"the first", ColumnKind::Text});
  }
  for (const Kind& kind : kKinds) {
    std::vector<TableCell> row{kind.name};
    std::uint64_t inputs = 0;
    for (const SweepStatistics& chip : result.chips) {
      const sweep::ClassStatistics& of = chip.*kind.of;
      inputs += of.inputs;
      row.emplace_back(std::to_string(of.inputs));
      row.emplace_back(std::to_string(of.differ));
      row.emplace_back(of.differ == 0 ? "" : deviation_text(result, of.first));
    }
    if (inputs != 0) table.rows.push_back(std::move(row));
  }
  return table;
}

Table worst_table(const SweepReport& report, std::size_t most) {
  const sweep::SweepResult& result = report.result;
  std::vector<WorstCases> worst;
  for (const SweepStatistics& chip : result.chips)
    worst.push_back({chip_name(chip.arch), &chip.worst});
  return worst_case_table({.format = result.format,
                           .output_format = result.output_format,
                           .measure = result.measure,
                           .operands = result.operands,
                           .has_reference = true,
                           .most = most},
                          worst);
}

std::vector<std::string> fault_texts(const SweepReport& report) {
  std::vector<std::string> texts;
  for (const SweepStatistics& chip : report.result.chips) {
    const std::vector<std::string> more = fault_texts(chip.arch, chip.faults);
    texts.insert(texts.end(), more.begin(), more.end());
  }
  return texts;
}

} // namespace lanewise::report
