// The table by decade of report/sweep/tables.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/sweep/tables.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using sweep::Decade;
using sweep::PartStatistics;
using sweep::SweepStatistics;

/// Neighbouring decades of one sign, with what each chip made of them.
struct DecadeRange {
  Decade first, last; ///< in the order of Decade
  std::vector<PartStatistics> chips;
};

bool are_neighbours(const Decade& left, const Decade& right) {
  const int step = left.negative ? -1 : 1;
  return left.negative == right.negative && left.exponent + step == right.exponent;
}

/// Decades with the same largest error are one row: those without any, and those in which a
/// function has overflowed, for instance.
bool can_merge(const DecadeRange& left, const DecadeRange& right) {
  if (!are_neighbours(left.last, right.first)) return false;
  for (std::size_t i = 0; i < left.chips.size(); ++i) {
    const PartStatistics &before = left.chips[i], &after = right.chips[i];
    if (before.largest != after.largest || before.lost != 0 || after.lost != 0) return false;
  }
  return true;
}

std::vector<DecadeRange> decade_ranges(const std::vector<SweepStatistics>& chips) {
  std::map<Decade, DecadeRange> all;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    for (const auto& [decade, part] : chips[i].decades) {
      DecadeRange& range = all[decade];
      range.first = range.last = decade;
      range.chips.resize(chips.size());
      range.chips[i] = part;
    }
  }
  std::vector<DecadeRange> ranges;
  for (auto& [decade, range] : all) {
    if (ranges.empty() || !can_merge(ranges.back(), range)) {
      ranges.push_back(std::move(range));
      continue;
    }
    ranges.back().last = decade;
    for (std::size_t i = 0; i < chips.size(); ++i) {
      ranges.back().chips[i].inputs += range.chips[i].inputs;
      ranges.back().chips[i].sum += range.chips[i].sum;
    }
  }
  return ranges;
}

/// "1e-38 .. 1e-3", "-1e5 .. -1e4": from the left to the right.
std::string range_text(const DecadeRange& range) {
  return range.first.negative
             ? fmt::format("-1e{} .. -1e{}", range.first.exponent + 1, range.last.exponent)
             : fmt::format("1e{} .. 1e{}", range.first.exponent, range.last.exponent + 1);
}

std::string mean_text(const PartStatistics& part) {
  const std::uint64_t counted = part.inputs - std::min(part.inputs, part.lost);
  return counted == 0 ? "-" : ulp_text(part.sum.value() / static_cast<double>(counted));
}

std::string where_text(const sweep::SweepResult& result, const PartStatistics& part) {
  if (part.largest == 0) return "";
  std::string text = value_text(result.format, part.worst.x);
  if (result.operands > 1) text += ", " + value_text(result.format, part.worst.y);
  return text;
}

/// Of the bar: 0 for no error, 1 for the largest of all, on a logarithmic scale.
double share(double ulp, double largest) {
  if (largest == 0) return 0;
  return std::log1p(ulp) / std::log1p(largest);
}

} // namespace

Table decade_table(const SweepReport& report) {
  const sweep::SweepResult& result = report.result;
  const std::vector<DecadeRange> ranges = decade_ranges(result.chips);
  double largest = 0;
  bool any_lost = false;
  for (const DecadeRange& range : ranges) {
    for (const PartStatistics& part : range.chips) {
      largest = std::max(largest, part.largest);
      any_lost |= part.lost != 0;
    }
  }
  Table table{"", {{"", 2}}, {{"x", ColumnKind::Number}, {"inputs", ColumnKind::Number}}, {}};
  for (const SweepStatistics& chip : result.chips) {
    table.groups.push_back({chip_name(chip.arch), any_lost ? 5U : 4U});
    table.columns.push_back({"largest", ColumnKind::Number});
    table.columns.push_back({"", ColumnKind::Bar});
    table.columns.push_back({"mean", ColumnKind::Number});
    if (any_lost) table.columns.push_back({"lost", ColumnKind::Number});
    table.columns.push_back({result.operands > 1 ? "at x, y" : "at x", ColumnKind::Number});
  }
  for (const DecadeRange& range : ranges) {
    std::uint64_t inputs = 0;
    for (const PartStatistics& part : range.chips) inputs = std::max(inputs, part.inputs);
    std::vector<TableCell> row{range_text(range), std::to_string(inputs)};
    for (const PartStatistics& part : range.chips) {
      row.emplace_back(ulp_count_text(part.largest));
      row.emplace_back(ulp_count_text(part.largest) + " ULP", share(part.largest, largest));
      row.emplace_back(mean_text(part));
      if (any_lost) row.emplace_back(std::to_string(part.lost));
      row.emplace_back(where_text(result, part));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace lanewise::report
