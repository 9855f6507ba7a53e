#include "report/accuracy/table.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "report/plain_number.h"
#include "report/sweep/headline.h"
#include "report/sweep/json_parts.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using sweep::SweepStatistics;
using sweep::UlpStatistics;

constexpr std::size_t kFunctionColumn = 1, kDomainColumn = 2;

/// Without rows.
Table empty_table() {
  Table table{.columns = table_columns({"kernel", "function", "inputs", "chip"})};
  const auto add = [&](std::initializer_list<const char*> headings, ColumnKind kind) {
    for (TableColumn& column : table_columns(headings, kind))
      table.columns.push_back(std::move(column));
  };
  constexpr std::array kUlpHeadings{"0", "1", "2", "3-10", "11-100", "> 100"};
  static_assert(kUlpHeadings.size() == sweep::kUlpRows, "they name the rows of UlpStatistics");
  for (const char* heading : kUlpHeadings) add({heading}, ColumnKind::Number);
  add({"largest", "mean", "stored to nearest: largest", "mean", "monotone", "special values"},
      ColumnKind::Text);
  add({"instructions", "cycles"}, ColumnKind::Number);
  return table;
}

/// In code, where a | would end the cell.
std::string code(std::string_view text) {
  std::string result = "`";
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result + "`";
}

/// Never "0.00" or "100.00" for what is not quite.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (part == 0) return "0";
  if (part == whole) return "100";
  const double value = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (value < 0.01) return "< 0.01";
  if (value > 99.99) return "> 99.99";
  return fmt::format("{:.2f}", value);
}

/// Four digits tell the numbers of bf16 apart.
std::string input_text(const AccuracyRow& row, const sweep::SweepCase& at) {
  static_assert(corpus::kAccuracyFormat == formats::Format::BF16);
  std::string x = fmt::format("{:.4g}", formats::value_of_bits(row.format, at.x));
  if (row.operands == 1) return x;
  return fmt::format("{}, {:.4g}", x, formats::value_of_bits(row.format, at.y));
}

std::string largest_text(const AccuracyRow& row, const UlpStatistics& error) {
  std::string text = ulp_count_text(error.largest);
  if (error.largest != 0) text += " at " + input_text(row, error.worst);
  if (error.lost != 0) text += fmt::format("; {} lost", error.lost);
  return text;
}

std::string mean_text(const AccuracyRow& row, const UlpStatistics& error) {
  const double mean = error.mean();
  if (mean == 0) return "0";
  std::string text = fmt::format("{:.3g}", mean);
  if (row.measure != formats::UlpMeasure::Line)
    text += fmt::format(" ({:.3g})", error.mean_nonzero());
  return text;
}

std::string monotone_text(const sweep::Monotonicity& monotonicity) {
  if (!monotonicity.looked_at) return "-";
  if (monotonicity.reversals == 0) return "yes";
  return fmt::format("{} steps back, up to {} ULP", monotonicity.reversals, monotonicity.largest);
}

/// Results that are not as expected, for each kind of input that the ULP do not count.
std::vector<std::pair<const char*, std::uint64_t>> special_counts(const SweepStatistics& of) {
  return {{"infinite", of.infinite.differ},
          {"nan", of.nan.differ},
          {"denormal", of.denormal.differ},
          {"nan_expected", of.expected_nan.differ},
          {"sign_of_zero", of.zero_signs}};
}

std::string special_text(const SweepStatistics& statistics) {
  constexpr std::array kNames{"Inf", "NaN", "denormal", "NaN expected", "sign of 0"};
  std::string text;
  const auto counts = special_counts(statistics);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].second == 0) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", kNames[i], counts[i].second);
  }
  return text.empty() ? "as expected" : text;
}

TableRow table_row(const AccuracyRow& row) {
  const SweepStatistics& statistics = row.statistics;
  const UlpStatistics& error = statistics.error;
  TableRow cells{row.kernel, row.reference, row.domain.empty() ? "all" : row.domain,
                 arch_params(statistics.arch).names.id};
  for (const std::uint64_t count : error.rows) cells.emplace_back(percent(count, error.count()));
  cells.emplace_back(largest_text(row, error));
  cells.emplace_back(mean_text(row, error));
  const auto& before = statistics.before_store;
  cells.emplace_back(before ? largest_text(row, *before) : "-");
  cells.emplace_back(before ? mean_text(row, *before) : "-");
  cells.emplace_back(monotone_text(statistics.monotonicity));
  cells.emplace_back(special_text(statistics));
  cells.emplace_back(number(statistics.instructions));
  cells.emplace_back(number(statistics.cycles));
  return cells;
}

std::string fault_lines(std::span<const AccuracyRow> rows) {
  std::string text;
  for (const std::string& fault : accuracy_faults(rows)) text += "- " + fault + "\n";
  return text.empty() ? "" : "\nResults that do not hold:\n\n" + text;
}

/// If ULP are not those of docs/ulp.md: how they are counted.
std::string measure_text(std::span<const AccuracyRow> rows) {
  if (rows.empty() || rows.front().measure == formats::UlpMeasure::Line) return "";
  const formats::UlpMeasure measure = rows.front().measure;
  return fmt::format(
      "\n\nULP are those of {}: {}. \"Lost\" is what it has no number\nfor. In parentheses is the "
      "mean "
      "of those above 0.",
      formats::ulp_measure_name(measure), formats::ulp_measure_meaning(measure));
}

nlohmann::json ulp_json(const AccuracyRow& row, const UlpStatistics& error) {
  nlohmann::json json{{"rows", error.rows},
                      {"lost", error.lost},
                      {"wrong", wrong_json(error.wrong)},
                      {"largest", ulp_count_json(error.largest)},
                      {"mean", error.mean()},
                      {"mean_nonzero", error.mean_nonzero()},
                      {"largest_exact", error.largest_exact},
                      {"x", input_text(row, error.worst)}};
  if (error.largest == 0) json["x"] = nullptr;
  return json;
}

} // namespace

std::vector<AccuracyRow> accuracy_rows(const corpus::AccuracyKernel& kernel,
                                       const sweep::SweepResult& result) {
  std::vector<AccuracyRow> rows;
  for (const SweepStatistics& statistics : result.chips) {
    rows.push_back({kernel.name, kernel.reference, kernel.domain, result.operands, result.format,
                    result.output_format, result.measure, statistics});
  }
  return rows;
}

Table accuracy_table(std::span<const AccuracyRow> rows) {
  Table table = empty_table();
  for (const AccuracyRow& row : rows) table.rows.push_back(table_row(row));
  return table;
}

std::vector<std::string> accuracy_faults(std::span<const AccuracyRow> rows) {
  std::vector<std::string> texts;
  for (const AccuracyRow& row : rows) {
    for (const Fault& fault : row.statistics.faults) {
      if (leaves_results_valid(fault.kind)) continue;
      texts.push_back(fmt::format("{}, {}: {}: {} {}", row.kernel,
                                  arch_params(row.statistics.arch).names.id,
                                  fault_kind_name(fault.kind), fault.instruction, fault.message));
    }
  }
  return texts;
}

std::string accuracy_markdown(std::span<const AccuracyRow> rows, const std::string& command) {
  Table table = accuracy_table(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i][kFunctionColumn] = code(rows[i].reference);
    if (!rows[i].domain.empty()) table.rows[i][kDomainColumn] = code(rows[i].domain);
  }
  return fmt::format(
      "# Accuracy of the kernels at hand\n\n"
      "Made by `{}`. [accuracy.md](accuracy.md) explains what is measured.\n\n"
      "Every bf16 number goes through each kernel; of two operands, a sample of {} pairs. The "
      "columns 0 to\n\"> 100\" say how many percent of the results are so many ULP from the "
      "correctly rounded ones; \"lost\" is NaN\nor infinity instead of a number. \"Stored to "
      "nearest\" is what would be left if the kernel rounded to nearest\nbefore its store. Special "
      "values are inputs, or results that should be NaN, with another result than\nexpected. "
      "Instructions and cycles are those of a tile in the steady state.{}\n\n{}{}",
      command, corpus::accuracy_space({.name = {}, .reference = {}, .operands = 2}).sample->count,
      measure_text(rows), table_markdown(table), fault_lines(rows));
}

nlohmann::json accuracy_json(std::span<const AccuracyRow> rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const AccuracyRow& row : rows) {
    const SweepStatistics& statistics = row.statistics;
    nlohmann::json specials;
    for (const auto& [name, count] : special_counts(statistics)) specials[name] = count;
    const sweep::Monotonicity& monotone = statistics.monotonicity;
    nlohmann::json json{{"kernel", row.kernel},
                        {"reference", row.reference},
                        {"domain", row.domain},
                        {"arch", arch_params(statistics.arch).names.id},
                        {"format", formats::format_name(row.format)},
                        {"ulp_measure", formats::ulp_measure_name(row.measure)},
                        {"inputs", statistics.error.count()},
                        {"ulp", ulp_json(row, statistics.error)},
                        {"before_store", nullptr},
                        {"reversals", nullptr},
                        {"differing_specials", std::move(specials)},
                        {"undecided", statistics.undecided},
                        {"instructions", statistics.instructions},
                        {"cycles", statistics.cycles},
                        {"init_cycles", statistics.init_cycles}};
    if (statistics.before_store) json["before_store"] = ulp_json(row, *statistics.before_store);
    if (monotone.looked_at)
      json["reversals"] = {{"count", monotone.reversals}, {"largest", monotone.largest}};
    list.push_back(std::move(json));
  }
  return {{"format", "lanewise-accuracy"}, {"version", 1}, {"rows", std::move(list)}};
}

} // namespace lanewise::report
