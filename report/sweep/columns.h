// The bins of a sweep as columns of pixels: what lies in the same column is drawn as one.
#pragma once

#include <cstdint>
#include <vector>

#include "report/sweep/axis.h"
#include "report/sweep/report.h"

namespace lanewise::report {

/// Width of a column in pixels.
inline constexpr double kColumnWidth = 2;

/// What one chip made of the inputs of a column; errors as in lab::PartStatistics.
struct ColumnPart {
  std::uint64_t inputs = 0, lost = 0;
  double largest = 0;
  double sum = 0;
  lab::SweepCase worst, sample;

  double mean() const; ///< of |ULP| without the lost results; 0 if there are no others
};

/// A column with its parts in the order of the chips; inputs is 0 where a chip has none.
struct Column {
  double x = 0; ///< middle, in pixels from the left end of the axis
  std::vector<ColumnPart> chips;
};

/// From left to right, without empty ones. NaN inputs are in none.
std::vector<Column> columns_of(const lab::SweepResult& result, const Axis& axis, double pixels);

/// The axis for x: linear for whole numbers and short ranges, else symmetric and logarithmic.
Axis input_axis(const lab::SweepResult& result, double pixels);

/// Some usual distances between columns: lines break at larger gaps.
double widest_gap(const std::vector<Column>& columns);

} // namespace lanewise::report
