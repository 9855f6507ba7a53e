#include "report/sweep/errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/sweep/headline.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

/// Of a largest exact error: 0.50002 is more than rounding alone makes.
constexpr int kExactDigits = 5;

using sweep::SweepCase;
using sweep::UlpStatistics;

/// A figure table with a heading and a column for each of `columns`.
class FigureRows {
 public:
  FigureRows(formats::Format format, unsigned operands, const std::vector<ErrorColumn>& columns)
      : format_(format), operands_(operands), columns_(columns) {
    table_.columns.push_back({"", ColumnKind::Text});
    for (const ErrorColumn& column : columns)
      table_.columns.push_back({column.heading, ColumnKind::Number});
  }

  template <class TextOf>
  void add(const std::string& name, const TextOf& text_of) {
    std::vector<TableCell> row{name};
    for (const ErrorColumn& column : columns_) row.emplace_back(text_of(*column.errors));
    table_.rows.push_back(std::move(row));
  }

  /// Counts, if one of them is not 0.
  template <class CountOf>
  void add_if_any(const std::string& name, const CountOf& count_of) {
    if (std::any_of(columns_.begin(), columns_.end(),
                    [&](const ErrorColumn& column) { return count_of(*column.errors) != 0; }))
      add(name, [&](const UlpStatistics& errors) { return std::to_string(count_of(errors)); });
  }

  /// Where something is, a row for each operand; "-" where `is_there` says no.
  template <class IsThere>
  void add_place(SweepCase UlpStatistics::*at, const IsThere& is_there) {
    const auto operand = [&](const std::string& name, std::uint32_t SweepCase::*bits) {
      add(name, [&](const UlpStatistics& errors) {
        if (!is_there(errors)) return std::string("-");
        const std::uint32_t datum = errors.*at.*bits;
        return fmt::format("{} ({})", value_text(format_, datum), bits_text(format_, datum));
      });
    };
    operand("  at x", &SweepCase::x);
    if (operands_ > 1) operand("  at y", &SweepCase::y);
  }

  Table take() { return std::move(table_); }

 private:
  formats::Format format_;
  unsigned operands_;
  const std::vector<ErrorColumn>& columns_;
  Table table_;
};

} // namespace

std::string ulp_row_name(std::size_t row) {
  if (row + 1 >= sweep::kUlpRows) return fmt::format("over {}", sweep::kUlpRowEnds.back());
  const std::int64_t last = sweep::kUlpRowEnds[row];
  const std::int64_t first = row == 0 ? 0 : sweep::kUlpRowEnds[row - 1] + 1;
  return first == last ? std::to_string(last) : fmt::format("{}-{}", first, last);
}

Table ulp_row_table(std::string title, const std::vector<ErrorColumn>& columns) {
  Table table{std::move(title), {{"", 1}}, {{"ULP", ColumnKind::Number}}, {}};
  for (const ErrorColumn& column : columns) {
    table.groups.push_back({column.heading, 2});
    table.columns.push_back({"results", ColumnKind::Number});
    table.columns.push_back({"share", ColumnKind::Number});
  }
  const auto add = [&](const std::string& name, const auto& count_of) {
    std::vector<TableCell> row{name};
    for (const ErrorColumn& column : columns) {
      const std::uint64_t count = count_of(*column.errors);
      row.emplace_back(std::to_string(count));
      row.emplace_back(percent_text(count, column.errors->count()));
    }
    table.rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < sweep::kUlpRows; ++i)
    add(ulp_row_name(i), [i](const UlpStatistics& errors) { return errors.rows[i]; });
  if (std::any_of(columns.begin(), columns.end(),
                  [](const ErrorColumn& column) { return column.errors->lost != 0; }))
    add("of these lost", [](const UlpStatistics& errors) { return errors.lost; });
  return table;
}

Table error_figure_table(formats::Format format, unsigned operands,
                         const std::vector<ErrorColumn>& columns, formats::UlpMeasure measure,
                         bool has_reference) {
  FigureRows rows(format, operands, columns);
  rows.add("largest |ULP|",
           [](const UlpStatistics& errors) { return ulp_count_text(errors.largest); });
  rows.add_place(&UlpStatistics::worst,
                 [](const UlpStatistics& errors) { return errors.largest != 0; });
  rows.add("mean |ULP|", [](const UlpStatistics& errors) { return ulp_text(errors.mean()); });
  if (measure != formats::UlpMeasure::Line)
    rows.add("mean of those above 0",
             [](const UlpStatistics& errors) { return ulp_text(errors.mean_nonzero()); });
  if (has_reference && formats::has_exact_errors(measure)) {
    rows.add("largest exact error", [](const UlpStatistics& errors) {
      return ulp_text(errors.largest_exact, kExactDigits);
    });
    rows.add_place(&UlpStatistics::worst_exact,
                   [](const UlpStatistics& errors) { return errors.largest_exact != 0; });
    rows.add("mean exact error",
             [](const UlpStatistics& errors) { return ulp_text(errors.mean_exact()); });
  }
  rows.add_if_any("lost, in no figure", [](const UlpStatistics& errors) { return errors.lost; });
  for (const KindName& kind : kWrongKinds)
    rows.add_if_any(kind.name,
                    [&](const UlpStatistics& errors) { return errors.wrong.*kind.count; });
  return rows.take();
}

std::vector<std::string> by_chip(const std::vector<std::pair<Arch, std::string>>& sentences) {
  std::vector<std::pair<std::string, std::string>> merged; // chips, sentence
  for (const auto& each : sentences) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const auto& other) { return other.second == each.second; });
    if (same == merged.end()) {
      merged.emplace_back(chip_name(each.first), each.second);
    } else {
      same->first += ", " + chip_name(each.first);
    }
  }
  std::vector<std::string> result;
  result.reserve(merged.size());
  for (const auto& [chips, sentence] : merged)
    result.push_back(fmt::format("{}: {}", chips, sentence));
  return result;
}

std::vector<std::string> fault_texts(Arch arch, const std::vector<Fault>& faults) {
  std::vector<std::string> texts;
  texts.reserve(faults.size());
  for (const Fault& fault : faults)
    texts.push_back(fmt::format("{}: {}", chip_name(arch), to_string(fault)));
  return texts;
}

Table worst_case_table(const WorstCaseOptions& options, const std::vector<WorstCases>& worst) {
  const formats::Format format = options.format, output_format = options.output_format;
  const bool exact = options.has_reference, is_pair = options.operands > 1;
  Table table{"", {}, {{"chip", ColumnKind::Text}}, {}};
  const auto add_datum = [&](const std::string& name) {
    table.columns.push_back({name, ColumnKind::Number});
    table.columns.push_back({"bits", ColumnKind::Bits});
  };
  add_datum("x");
  if (is_pair) add_datum("y");
  if (exact) table.columns.push_back({"exact", ColumnKind::Number});
  add_datum(exact ? "expected" : "first");
  add_datum(exact ? "found" : "second");
  table.columns.push_back({"ULP", ColumnKind::Number});
  for (const WorstCases& chip : worst) {
    for (std::size_t i = 0; i < std::min(options.most, chip.cases->size()); ++i) {
      const SweepCase& at = (*chip.cases)[i];
      std::vector<TableCell> row{chip.heading};
      const auto put = [&](const std::string& value, formats::Format of, std::uint32_t bits) {
        row.emplace_back(value);
        row.emplace_back(bits_text(of, bits));
      };
      const auto put_result = [&](std::uint32_t bits) {
        put(result_text(output_format, bits), output_format, bits);
      };
      put(value_text(format, at.x), format, at.x);
      if (is_pair) put(value_text(format, at.y), format, at.y);
      if (exact) row.emplace_back(exact_text(output_format, at.exact));
      put_result(at.expected);
      put_result(at.found);
      row.emplace_back(case_ulp_text(options.measure, output_format, at));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

} // namespace lanewise::report
