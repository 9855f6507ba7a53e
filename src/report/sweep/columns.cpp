#include "report/sweep/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace lanewise::report {

namespace {

/// Largest ratio of two floats on a linear axis: more is better seen on a logarithmic one.
constexpr double kShortRange = 32;
/// Gaps of a line, in usual distances of its points, and at least in pixels.
constexpr double kGapFactor = 4, kLeastGap = 6;
/// Fewer cells near 0 are no picture.
constexpr std::size_t kFewestCells = 16;

/// The smallest normal number of a float format (number/formats/ulp.h).
double smallest_normal(formats::Format format) {
  return isa::number_format(format).real->smallest_normal();
}

std::vector<double> bin_inputs(const sweep::SweepResult& result) {
  std::vector<double> inputs;
  for (const sweep::SweepStatistics& chip : result.chips) {
    for (const auto& [key, part] : chip.bins) {
      for (const std::uint32_t bits : {part.sample.x, part.worst.x}) {
        const double x = formats::value_of_bits(result.format, bits);
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

void add_part(ColumnPart& column, const sweep::PartStatistics& part) {
  if (column.inputs == 0) column.sample = part.sample;
  if (column.inputs == 0 || part.largest > column.largest) column.worst = part.worst;
  column.largest = std::max(column.largest, part.largest);
  column.largest_exact = std::max(column.largest_exact, part.largest_exact);
  column.inputs += part.inputs;
  column.lost += part.lost;
  column.sum += part.sum.value();
}

/// Columns that are filled part by part.
class ColumnTable {
 public:
  ColumnTable(std::size_t chips, const Axis& axis, double pixels)
      : chips_(chips), axis_(axis), pixels_(pixels) {}

  void add(std::size_t chip, double x, const sweep::PartStatistics& part) {
    if (!std::isfinite(x) || part.inputs == 0) return;
    const long at = std::lround(std::floor(axis_.at(x) * pixels_ / kColumnWidth));
    Column& column = columns_[at];
    column.x = (static_cast<double>(at) + 0.5) * kColumnWidth;
    column.chips.resize(chips_);
    add_part(column.chips[chip], part);
  }

  std::vector<Column> take() {
    std::vector<Column> list;
    list.reserve(columns_.size());
    for (auto& [at, column] : columns_) list.push_back(std::move(column));
    return list;
  }

 private:
  std::size_t chips_;
  const Axis& axis_;
  double pixels_;
  std::map<long, Column> columns_;
};

bool is_linear(const sweep::SweepResult& result, const std::vector<double>& inputs) {
  if (inputs.empty() || formats::is_integer(result.format)) return true;
  const auto [low, high] = std::minmax_element(inputs.begin(), inputs.end());
  return is_short(*low, *high);
}

Axis input_axis(const sweep::SweepResult& result, const std::vector<double>& inputs,
                double pixels) {
  const AxisRoom room = horizontal_room(pixels);
  if (inputs.empty()) return linear_axis(0, 1, room);
  if (!is_linear(result, inputs))
    return symmetric_log_axis(inputs, smallest_normal(result.format), room);
  const auto [low, high] = std::minmax_element(inputs.begin(), inputs.end());
  return linear_axis(*low, *high, room);
}

/// Where a cell begins.
double cell_start(int key) {
  return static_cast<double>(key) / sweep::kNearCells;
}

} // namespace

double ColumnPart::mean() const {
  return inputs > lost ? sum / static_cast<double>(inputs - lost) : 0;
}

InputView all_inputs(const sweep::SweepResult& result, double pixels) {
  InputView view{input_axis(result, bin_inputs(result), pixels), {}};
  ColumnTable table(result.chips.size(), view.axis, pixels);
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    for (const auto& [key, part] : result.chips[i].bins)
      table.add(i, formats::value_of_bits(result.format, part.sample.x), part);
  }
  view.columns = table.take();
  return view;
}

std::optional<InputView> near_inputs(const sweep::SweepResult& result, double pixels) {
  if (is_linear(result, bin_inputs(result))) return std::nullopt;
  int first = std::numeric_limits<int>::max(), last = std::numeric_limits<int>::min();
  std::size_t most = 0;
  for (const sweep::SweepStatistics& chip : result.chips) {
    if (chip.near.empty()) continue;
    first = std::min(first, chip.near.begin()->first);
    last = std::max(last, chip.near.rbegin()->first);
    most = std::max(most, chip.near.size());
  }
  if (most < kFewestCells) return std::nullopt;
  const double low = std::floor(cell_start(first)), high = std::ceil(cell_start(last + 1));
  InputView view{linear_axis(low, high, horizontal_room(pixels)), {}};
  ColumnTable table(result.chips.size(), view.axis, pixels);
  for (std::size_t i = 0; i < result.chips.size(); ++i) {
    for (const auto& [key, part] : result.chips[i].near) table.add(i, cell_start(key), part);
  }
  view.columns = table.take();
  return view;
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
