// Axes of the pictures of a sweep: where a number lies, and which numbers have a label.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lanewise::report {

struct AxisTick {
  double at = 0; ///< 0..1 along the axis
  std::string label;
};

struct Axis {
  /// Where a number lies, 0 at the left or bottom end and 1 at the other; not for NaN.
  std::function<double(double)> at;
  std::vector<AxisTick> ticks; ///< their labels do not overlap
};

/// The length of an axis in pixels, how far apart two labels have to be, and what each letter of a
/// long one takes along the axis.
struct AxisRoom {
  double pixels = 0;
  double label_pitch = 0;
  double letter = 0;
};

/// Room for an axis from left to right and from bottom to top.
AxisRoom horizontal_room(double pixels);
AxisRoom vertical_room(double pixels);

/// low..high; a little more if they are the same.
Axis linear_axis(double low, double high, AxisRoom room);

/// Powers of ten in both directions from 0, which has a place of its own if the numbers have both
/// signs or contain it. `smallest` and everything closer to 0 is drawn beside it. `numbers` are
/// what must be on the axis; those that are not finite go to its ends.
Axis symmetric_log_axis(std::span<const double> numbers, double smallest, AxisRoom room);

/// |ULP| from 0: linear up to 1, a constant length for each power of ten above.
Axis ulp_axis(double largest, AxisRoom room);

/// Counts from none: 1, 10, 100, ..., of equal distance; 0 lies on the base line.
Axis count_axis(std::uint64_t largest, AxisRoom room);

/// "⁻³⁸": an exponent in raised digits.
std::string raised(int exponent);

/// "1000" or "10⁴": powers of ten that are long to write have an exponent.
std::string power_text(int exponent);

} // namespace lanewise::report
