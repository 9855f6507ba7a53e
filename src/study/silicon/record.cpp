#include "study/silicon/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "base/in_quotes.h"
#include "base/text_file.h"

namespace lanewise::silicon {

namespace {

constexpr char kBetween = ',';

/// What tells a row of a table from the others.
std::string key_of(const CostRow& row) {
  std::vector<std::string> options;
  for (const auto& [name, value] : row.options)
    options.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{},{},{},{},{},{},{}", row.op, engine_name(row.engine), unit_name(row.unit),
                     fmt::join(row.inputs, ";"), fmt::join(row.outputs, ";"),
                     fmt::join(row.wide, ";"), fmt::join(options, ";"));
}

std::string without_commas(std::string text) {
  std::ranges::replace(text, kBetween, ';');
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// A line without its last columns, and these.
struct RecordLine {
  std::string row;
  std::string model, why;
  std::size_t model_column = 1;
};

std::optional<RecordLine> split_line(const std::string& text) {
  const std::size_t before_why = text.rfind(kBetween);
  if (before_why == text.npos || before_why == 0) return std::nullopt;
  const std::size_t before_model = text.rfind(kBetween, before_why - 1);
  if (before_model == text.npos) return std::nullopt;
  return RecordLine{.row = text.substr(0, before_model),
                    .model = text.substr(before_model + 1, before_why - before_model - 1),
                    .why = text.substr(before_why + 1),
                    .model_column = before_model + 2};
}

std::optional<double> cycles_from(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The row with the model's cycles, or the reason why there are none: one of the two.
Expected<ComparedRow> compared_from(CostRow row, const RecordLine& line) {
  const std::uint32_t number = row.line;
  ComparedRow compared{.row = std::move(row), .why = line.why};
  if (line.model.empty() != line.why.empty()) {
    if (line.model.empty()) return compared;
    compared.cycles = cycles_from(line.model);
    if (compared.cycles) return compared;
    return bad_input(fmt::format("{} is no number of cycles", in_quotes(line.model)),
                     "write it as 41.25", number, static_cast<std::uint32_t>(line.model_column));
  }
  return bad_input("a row has the model's cycles, or a reason why it was left out",
                   "write one of the two", number, static_cast<std::uint32_t>(line.model_column));
}

} // namespace

std::string record_text(const Comparison& comparison) {
  std::string text = fmt::format("{}{}\n", kCostColumns, kRecordColumns);
  for (const ComparedRow& each : comparison.rows) {
    const CostRow& row = each.row;
    text +=
        fmt::format("{},{:.2f},{:.2f},{:.2f},{},{},{}\n", key_of(row), row.least, row.median,
                    row.most, row.measured, each.cycles ? fmt::format("{:.2f}", *each.cycles) : "",
                    each.cycles ? "" : without_commas(each.why));
  }
  return text;
}

Expected<Comparison> parse_record(std::string_view text) {
  std::vector<RecordLine> lines;
  std::string table;
  std::uint32_t number = 0;
  for (const std::string& line : lines_of(std::string(text))) {
    ++number;
    if (number == 1) {
      const std::string head = fmt::format("{}{}", kCostColumns, kRecordColumns);
      if (line != head)
        return bad_input("the first line does not name the columns of a recorded comparison",
                         "write " + head, number, 1);
      table = fmt::format("{}\n", kCostColumns);
      continue;
    }
    auto parts = split_line(line);
    if (line.empty()) parts = RecordLine();
    if (!parts)
      return bad_input("the line has too few columns",
                       fmt::format("write {}{}", kCostColumns, kRecordColumns), number, 1);
    table += parts->row + "\n";
    lines.push_back(std::move(*parts));
  }
  auto rows = parse_cost_table(table);
  if (!rows) return Unexpected(rows.error());
  std::vector<ComparedRow> compared;
  for (CostRow& row : *rows) {
    const RecordLine& line = lines[row.line - 2]; // behind the head, from 1
    auto one = compared_from(std::move(row), line);
    if (!one) return Unexpected(one.error());
    compared.push_back(std::move(*one));
  }
  return comparison_of(std::move(compared));
}

Expected<Comparison> read_record(const std::string& file) {
  const auto text = read_text_file(file);
  if (!text) return Unexpected(text.error());
  auto record = parse_record(*text);
  if (!record) record.error().file = file;
  return record;
}

std::vector<WorseRow> worse_rows(const Comparison& record, const Comparison& now) {
  std::map<std::string, const ComparedRow*> known;
  for (const ComparedRow& each : record.rows) known.emplace(key_of(each.row), &each);
  std::vector<WorseRow> worse;
  for (const ComparedRow& each : now.rows) {
    const auto found = known.find(key_of(each.row));
    if (found == known.end() || !found->second->cycles) continue;
    const double before = *found->second->cycles;
    const double allowed =
        std::abs(before - each.row.median) + std::max(kWorseCycles, kWorseShare * each.row.median);
    if (!each.cycles || std::abs(each.residual()) > allowed)
      worse.push_back({.now = each, .before = before});
  }
  return worse;
}

} // namespace lanewise::silicon
