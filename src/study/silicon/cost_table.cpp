#include "study/silicon/cost_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/in_quotes.h"
#include "base/text_file.h"

namespace lanewise::silicon {

namespace {

constexpr std::array<std::string_view, kEngines> kEngineNames{"unpack", "math", "pack"};
constexpr std::array<std::string_view, kUnits> kUnitNames{"PerTile", "PerCall"};

/// The columns by their places in a line.
enum Column : std::uint8_t {
  kOp,
  kEngine,
  kUnit,
  kInputs,
  kOutputs,
  kWide,
  kOptions,
  kLeast,
  kMedian,
  kMost,
  kMeasured,
  kColumns
};

/// More cycles than any measurement has.
constexpr double kMostCycles = 1e12;

/// A part of a line, and where it begins there, from 1.
struct Part {
  std::string_view text;
  std::uint32_t column = 1;
};

std::vector<Part> parts_of(const Part& whole, char separator) {
  std::vector<Part> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(whole.text.find(separator, start), whole.text.size());
    parts.push_back(
        {whole.text.substr(start, end - start), whole.column + static_cast<std::uint32_t>(start)});
    if (end == whole.text.size()) return parts;
    start = end + 1;
  }
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' || letter == '-';
  });
}

class LineReader {
 public:
  LineReader(std::string_view text, std::uint32_t line)
      : parts_(parts_of({text, 1}, ',')), line_(line) {}

  Expected<CostRow> row() {
    if (parts_.size() != kColumns) {
      return bad_input(fmt::format("the line has {} columns, and {} are expected", parts_.size(),
                                   static_cast<unsigned>(kColumns)),
                       fmt::format("write {}", kCostColumns), line_, 1);
    }
    CostRow row{.op = name(kOp), .line = line_};
    row.engine = static_cast<Engine>(one_of(kEngine, kEngineNames));
    row.unit = static_cast<Unit>(one_of(kUnit, kUnitNames));
    row.inputs = names(kInputs);
    row.outputs = names(kOutputs);
    constexpr std::array<std::string_view, 2> kTruths{"false", "true"};
    for (const Part& part : parts_of(parts_[kWide], ';'))
      row.wide.push_back(one_of(part, kTruths) == 1);
    row.options = options();
    row.least = cycles(kLeast);
    row.median = cycles(kMedian);
    row.most = cycles(kMost);
    row.measured = count(kMeasured);
    if (!fault_ && (row.least > row.median || row.median > row.most))
      refuse(parts_[kMedian], "is not between cycles_min and cycles_max", "check the three");
    if (!fault_ && row.median == 0)
      refuse(parts_[kMedian], "is no measurement", "leave the row out");
    if (fault_) return Unexpected(*fault_);
    return row;
  }

 private:
  /// The first thing that is wrong counts.
  void refuse(const Part& part, std::string_view what, std::string remedy) {
    if (fault_) return;
    fault_ = bad_input(fmt::format("{} {}", in_quotes(part.text), what), std::move(remedy), line_,
                       part.column)
                 .value();
  }

  std::string name(const Part& part) {
    if (!is_name(part.text)) refuse(part, "is no name", "use letters, digits, '_', '.' and '-'");
    return std::string(part.text);
  }
  std::string name(Column column) { return name(parts_[column]); }

  std::vector<std::string> names(Column column) {
    std::vector<std::string> all;
    for (const Part& part : parts_of(parts_[column], ';')) all.push_back(name(part));
    return all;
  }

  template <std::size_t kCount>
  std::size_t one_of(const Part& part, const std::array<std::string_view, kCount>& known) {
    const auto found = std::ranges::find(known, part.text);
    if (found == known.end()) {
      refuse(part, "is not known here", fmt::format("use {}", fmt::join(known, ", ")));
      return 0;
    }
    return static_cast<std::size_t>(found - known.begin());
  }
  template <std::size_t kCount>
  std::size_t one_of(Column column, const std::array<std::string_view, kCount>& known) {
    return one_of(parts_[column], known);
  }

  Options options() {
    Options all;
    if (parts_[kOptions].text.empty()) return all;
    for (const Part& part : parts_of(parts_[kOptions], ';')) {
      const std::vector<Part> sides = parts_of(part, '=');
      if (sides.size() != 2) {
        refuse(part, "is no option", "write name=value");
        return all;
      }
      all.emplace_back(name(sides[0]), name(sides[1]));
      const auto is_same = [&](const auto& other) { return other.first == all.back().first; };
      if (std::ranges::count_if(all, is_same) > 1)
        refuse(part, "is an option that the row has already", "leave one of them out");
    }
    return all;
  }

  double cycles(Column column) {
    const Part& part = parts_[column];
    double value = 0;
    const char* const end = part.text.data() + part.text.size();
    const auto result = std::from_chars(part.text.data(), end, value, std::chars_format::fixed);
    if (result.ec != std::errc{} || result.ptr != end || !(value >= 0) || value > kMostCycles) {
      refuse(part, "is no number of cycles", "write it as 41.25");
      return 0;
    }
    return value;
  }

  unsigned count(Column column) {
    const Part& part = parts_[column];
    unsigned value = 0;
    const char* const end = part.text.data() + part.text.size();
    const auto result = std::from_chars(part.text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end || value == 0)
      refuse(part, "is no number of measurements", "write 1 or more");
    return value;
  }

  std::vector<Part> parts_;
  std::uint32_t line_;
  std::optional<Fault> fault_;
};

} // namespace

std::string_view engine_name(Engine engine) {
  return kEngineNames[static_cast<std::size_t>(engine)];
}

std::string_view unit_name(Unit unit) {
  return kUnitNames[static_cast<std::size_t>(unit)];
}

Expected<std::vector<CostRow>> parse_cost_table(std::string_view text) {
  std::vector<CostRow> rows;
  std::uint32_t line = 0;
  for (const Part& part : parts_of({text, 1}, '\n')) {
    ++line;
    std::string_view content = part.text;
    if (content.ends_with('\r')) content.remove_suffix(1);
    if (line == 1) {
      if (content == kCostColumns) continue;
      return bad_input("the first line does not name the columns of a table of cycles",
                       fmt::format("write {}", kCostColumns), line, 1);
    }
    if (content.empty()) continue;
    auto row = LineReader(content, line).row();
    if (!row) return Unexpected(row.error());
    rows.push_back(std::move(*row));
  }
  if (rows.empty()) {
    return bad_input("the table has no row", "write a line for each group of measurements", line,
                     1);
  }
  return rows;
}

Expected<std::vector<CostRow>> read_cost_table(const std::string& file) {
  const auto text = read_text_file(file);
  if (!text) return Unexpected(text.error());
  auto rows = parse_cost_table(*text);
  if (!rows) rows.error().file = file;
  return rows;
}

} // namespace lanewise::silicon
