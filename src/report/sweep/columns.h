// The bins and cells of a sweep as columns of pixels: what lies in the same column is drawn as one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/sweep/axis.h"
#include "report/sweep/report.h"

namespace lanewise::report {

/// Width of a column in pixels.
inline constexpr double kColumnWidth = 2;

/// What one chip made of the inputs of a column; errors as in sweep::PartStatistics.
struct ColumnPart {
  std::uint64_t inputs = 0, lost = 0;
  double largest = 0;
  double largest_exact = formats::kNotCompared;
  double sum = 0;
  sweep::SweepCase worst, sample;

  double mean() const; ///< of |ULP| without the lost results; 0 if there are no others
  bool is_lost() const { return inputs != 0 && lost == inputs; } ///< every result
};

/// A column with its parts in the order of the chips; inputs is 0 where a chip has none.
struct Column {
  double x = 0; ///< middle, in pixels from the left end of the axis
  std::vector<ColumnPart> chips;
};

/// The inputs of a picture.
struct InputView {
  Axis axis;
  std::vector<Column> columns; ///< from left to right, without empty ones
};

/// All finite inputs. The axis is linear for whole numbers and short ranges, else symmetric and
/// logarithmic.
InputView all_inputs(const sweep::SweepResult& result, double pixels);

/// Those near 0 (sweep::SweepStatistics::near) on a linear axis; nothing where all_inputs() has one
/// or there are not enough of them for a picture.
std::optional<InputView> near_inputs(const sweep::SweepResult& result, double pixels);

/// Some usual distances between columns: lines break at larger gaps.
double widest_gap(const std::vector<Column>& columns);

} // namespace lanewise::report
