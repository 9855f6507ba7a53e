#include "report/sweep/columns.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lanewise::report {

namespace {

/// Largest ratio of two floats on a linear axis: more is better seen on a logarithmic one.
constexpr double kShortRange = 32;
/// Gaps of a line, in usual distances of its points, and at least in pixels.
constexpr double kGapFactor = 4, kLeastGap = 6;

/// The smallest normal number of a float format (numbers/ulp.h).
double smallest_normal(lab::Format format) {
  return isa::number_format(format).real->smallest_normal();
}

std::vector<double> bin_inputs(const lab::SweepResult& result) {
  std::vector<double> inputs;
  for (const lab::SweepStatistics& chip : result.chips) {
    for (const auto& [key, part] : chip.bins) {
      for (const std::uint32_t bits : {part.sample.x, part.worst.x}) {
        const double x = lab::value_of_bits(result.format, bits);
        // Without an error the worst case is empty.
        if (std::isfinite(x) && (bits == part.sample.x || part.largest != 0)) inputs.push_back(x);
      }
    }
  }
  return inputs;
}

bool is_short(double low, double high) {
  return (low > 0 && high / low <= kShortRange) || (high < 0 && low / high <= kShortRange);
}

void add_part(ColumnPart& column, const lab::PartStatistics& part) {
  if (column.inputs == 0) column.sample = part.sample;
  if (column.inputs == 0 || part.largest > column.largest) column.worst = part.worst;
  column.largest = std::max(column.largest, part.largest);
  column.inputs += part.inputs;
  column.lost += part.lost;
  column.sum += part.sum;
}

} // namespace

double ColumnPart::mean() const {
  return inputs > lost ? sum / static_cast<double>(inputs - lost) : 0;
}

std::vector<Column> columns_of(const lab::SweepResult& result, const Axis& axis, double pixels) {
  std::map<long, Column> columns;
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    for (const auto& [key, part] : result.chips[i].bins) {
      const double x = lab::value_of_bits(result.format, part.sample.x);
      if (std::isnan(x) || part.inputs == 0) continue;
      const long at = std::lround(std::floor(axis.at(x) * pixels / kColumnWidth));
      Column& column = columns[at];
      column.x = (static_cast<double>(at) + 0.5) * kColumnWidth;
      column.chips.resize(result.chips.size());
      add_part(column.chips[i], part);
    }
  }
  std::vector<Column> list;
  list.reserve(columns.size());
  for (auto& [at, column] : columns) list.push_back(std::move(column));
  return list;
}

Axis input_axis(const lab::SweepResult& result, double pixels) {
  const std::vector<double> inputs = bin_inputs(result);
  const AxisRoom room = horizontal_room(pixels);
  if (inputs.empty()) return linear_axis(0, 1, room);
  const auto [low, high] = std::minmax_element(inputs.begin(), inputs.end());
  if (lab::is_integer(result.format) || is_short(*low, *high))
    return linear_axis(*low, *high, room);
  return symmetric_log_axis(inputs, smallest_normal(result.format), room);
}

double widest_gap(const std::vector<Column>& columns) {
  std::vector<double> gaps;
  gaps.reserve(columns.size());
  for (std::size_t i = 1; i < columns.size(); ++i) gaps.push_back(columns[i].x - columns[i - 1].x);
  if (gaps.empty()) return kLeastGap;
  const auto middle = gaps.begin() + static_cast<long>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return std::max(kLeastGap, kGapFactor * *middle);
}

} // namespace lanewise::report
