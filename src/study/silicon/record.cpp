#include "study/silicon/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
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

/// What of a record's line the model says, in the order of kRecordColumns.
enum Said : std::uint8_t { Model, TakenIn, Left, Why, kSaid };

/// A line without its last columns, and these.
struct RecordLine {
  std::string row;
  std::array<std::string, kSaid> said{};
  std::array<std::uint32_t, kSaid> columns{}; ///< of the texts in the line, from 1
};

std::optional<RecordLine> split_line(const std::string& text) {
  RecordLine line;
  line.row = text;
  for (std::size_t i = kSaid; i-- > 0;) {
    const std::size_t before = line.row.rfind(kBetween);
    if (before == line.row.npos) return std::nullopt;
    line.said[i] = line.row.substr(before + 1);
    line.columns[i] = static_cast<std::uint32_t>(before + 2);
    line.row.resize(before);
  }
  return line;
}

std::optional<double> cycles_from(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The cycles of one of the line's columns.
Expected<double> cycles_of(const RecordLine& line, Said which, std::uint32_t number) {
  const auto cycles = cycles_from(line.said[which]);
  if (cycles) return *cycles;
  return bad_input(fmt::format("{} is no number of cycles", in_quotes(line.said[which])),
                   "write it as 41.25", number, line.columns[which]);
}

/// The row with the model's cycles, or the reason why there are none: one of the two.
Expected<ComparedRow> compared_from(CostRow row, const RecordLine& line) {
  const std::uint32_t number = row.line;
  ComparedRow compared{.row = std::move(row), .why = line.said[Why]};
  const bool has_cycles = !line.said[Model].empty(), has_forms = !line.said[TakenIn].empty();
  if (has_cycles != line.said[Why].empty())
    return bad_input("a row has the model's cycles, or a reason why it was left out",
                     "write one of the two", number, line.columns[Model]);
  if (has_forms != !line.said[Left].empty() || (has_forms && !has_cycles))
    return bad_input(
        "an initialisation that is taken in stands beside one that is left, and both "
        "beside the model's cycles",
        "write all three or only the last", number, line.columns[TakenIn]);
  if (!has_cycles) return compared;
  const auto cycles = cycles_of(line, Model, number);
  if (!cycles) return Unexpected(cycles.error());
  compared.cycles = *cycles;
  if (!has_forms) return compared;
  const auto taken_in = cycles_of(line, TakenIn, number), left = cycles_of(line, Left, number);
  if (!taken_in) return Unexpected(taken_in.error());
  if (!left) return Unexpected(left.error());
  compared.forms = FormCycles{*taken_in, *left};
  return compared;
}

} // namespace

std::string record_text(const Comparison& comparison) {
  std::string text = fmt::format("{}{}\n", kCostColumns, kRecordColumns);
  for (const ComparedRow& each : comparison.rows) {
    const CostRow& row = each.row;
    text += fmt::format("{},{:.2f},{:.2f},{:.2f},{}", key_of(row), row.least, row.median, row.most,
                        row.measured);
    text += each.cycles ? fmt::format(",{:.2f}", *each.cycles) : ",";
    text +=
        each.forms ? fmt::format(",{:.2f},{:.2f}", each.forms->taken_in, each.forms->left) : ",,";
    text += fmt::format(",{}\n", each.cycles ? "" : without_commas(each.why));
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
