#include "report/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

constexpr double kHorizontalPitch = 50; ///< pixels of "−10⁻³⁸" at 11 px, and a gap
constexpr double kLetter = 6.8;         ///< pixels of a digit at 11 px
constexpr double kVerticalPitch = 17;   ///< pixels of a line at 11 px, and a gap
constexpr int kPlainExponents = 3;      ///< powers up to 10^3 and down to 10^-3 are written out

/// The smallest of 1, 2, 5, 10, 20, ... decades that leaves room for labels.
int decade_step(double pixels_per_decade, double pitch) {
  for (const int step : {1, 2, 5, 10, 20, 50}) {
    if (step * pixels_per_decade >= pitch) return step;
  }
  return 100;
}

/// 1, 2 or 5 times a power of ten, not smaller than `step`.
double nice_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// Digits of labels up to this many have room in any case.
constexpr int kFewDigits = 4;

/// Significant digits that tell multiples of `step` up to `largest` apart.
int significant_digits(double largest, double step) {
  return std::clamp(static_cast<int>(std::ceil(std::log10(largest) - std::log10(step))) + 1, 1, 17);
}

/// The distance of labels on a linear axis: larger where they need many digits.
double linear_step(double low, double high, AxisRoom room) {
  // Halves, since the span of two doubles need not be one.
  const auto step_for = [&](double pitch) {
    return 2 * nice_step((high / 2 - low / 2) * pitch / room.pixels);
  };
  const double step = step_for(room.label_pitch);
  const int digits = significant_digits(std::max(std::abs(low), std::abs(high)), step);
  // Sign, point, and a gap beside the digits.
  return step_for(std::max(room.label_pitch, room.letter * (digits + 4)));
}

/// Adds labels where there is room for them; the first ones have precedence.
class TickList {
 public:
  TickList(const std::function<double(double)>& at, AxisRoom room) : at_(at), room_(room) {}

  void add(double number, const std::string& label) {
    const double at = at_(number);
    const bool fits = std::all_of(ticks_.begin(), ticks_.end(), [&](const AxisTick& other) {
      return std::abs(other.at - at) * room_.pixels >= room_.label_pitch;
    });
    if (fits && at > -1e-9 && at < 1 + 1e-9) ticks_.push_back({at, label});
  }

  std::vector<AxisTick> take() { return std::move(ticks_); }

 private:
  const std::function<double(double)>& at_;
  AxisRoom room_;
  std::vector<AxisTick> ticks_;
};

/// Decades of one sign, and what lies between them and 0.
class SymmetricLog {
 public:
  SymmetricLog(std::span<const double> numbers, double smallest) {
    double least = 0, most_negative = 0, most_positive = 0;
    bool has_zero = false;
    for (const double number : numbers) {
      const double size = std::abs(number);
      if (!std::isfinite(number)) continue;
      if (size < smallest || size == 0) {
        has_zero = true;
        continue;
      }
      least = least == 0 ? size : std::min(least, size);
      double& most = number < 0 ? most_negative : most_positive;
      most = std::max(most, size);
    }
    if (least == 0) least = most_positive = 1;
    first = static_cast<int>(std::floor(std::log10(least) + 1e-9));
    left_ = decades(most_negative);
    right_ = decades(most_positive);
    const bool around_zero = has_zero || (left_ != 0 && right_ != 0);
    gap_ = around_zero ? std::max(0.35, kZeroShare * (left_ + right_)) : 0;
    length_ = left_ + right_ + (left_ != 0 ? gap_ : 0) + (right_ != 0 ? gap_ : 0);
    zero_ = left_ + (left_ != 0 ? gap_ : 0);
  }

  double at(double number) const {
    if (std::isinf(number)) return number < 0 ? 0 : 1;
    const double size = std::abs(number);
    if (size == 0) return zero_ / length_;
    const double decade = std::log10(size) - first;
    const double distance = decade < 0 ? gap_ / 2 : gap_ + decade;
    return std::clamp((zero_ + (number < 0 ? -distance : distance)) / length_, 0.0, 1.0);
  }

  bool has_zero() const { return gap_ != 0; }
  bool has_sign(bool negative) const { return (negative ? left_ : right_) != 0; }
  int last(bool negative) const {
    return first + static_cast<int>(std::ceil((negative ? left_ : right_) - 1e-9));
  }
  double length() const { return length_; }

  int first = 0; ///< exponent of the decade next to 0

 private:
  /// Of the axis, on each side of 0.
  static constexpr double kZeroShare = 0.025;

  double decades(double most) const {
    return most == 0 ? 0 : std::max(0.3, std::log10(most) - first);
  }

  double left_ = 0, right_ = 0, gap_ = 0, zero_ = 0, length_ = 1; ///< in decades
};

} // namespace

AxisRoom horizontal_room(double pixels) {
  return {pixels, kHorizontalPitch, kLetter};
}

AxisRoom vertical_room(double pixels) {
  return {pixels, kVerticalPitch, 0};
}

std::string raised(int exponent) {
  static constexpr std::array<const char*, 10> kRaised{"⁰", "¹", "²", "³", "⁴",
                                                       "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : std::to_string(exponent))
    text += digit == '-' ? "⁻" : kRaised[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::string power_text(int exponent) {
  if (exponent >= -kPlainExponents && exponent <= kPlainExponents)
    return number_text(std::pow(10, exponent));
  return "10" + raised(exponent);
}

Axis linear_axis(double low, double high, AxisRoom room) {
  if (!(low < high)) {
    const double margin = low == 0 ? 1 : std::abs(low) / 2;
    low -= margin;
    high = low + 2 * margin;
  }
  Axis axis;
  axis.at = [low, high](double number) {
    return std::clamp((number / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
  };
  const double step = linear_step(low, high, room);
  const double largest = std::max(std::abs(low), std::abs(high));
  const int digits = std::max(kFewDigits, significant_digits(largest, step));
  TickList ticks(axis.at, room);
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
    ticks.add(i * step, (i < 0 ? "−" : "") + number_text(std::abs(i * step), digits));
  axis.ticks = ticks.take();
  return axis;
}

Axis symmetric_log_axis(std::span<const double> numbers, double smallest, AxisRoom room) {
  const SymmetricLog scale(numbers, smallest);
  Axis axis;
  axis.at = [scale](double number) { return scale.at(number); };
  TickList ticks(axis.at, room);
  if (scale.has_zero()) ticks.add(0, "0");
  const double per_decade = room.pixels / scale.length();
  const int step = decade_step(per_decade, room.label_pitch);
  for (const bool negative : {false, true}) {
    if (!scale.has_sign(negative)) continue;
    const double sign = negative ? -1 : 1;
    const std::string minus = negative ? "−" : "";
    for (int e = scale.first; e <= scale.last(negative); ++e) {
      if (e % step == 0) ticks.add(sign * std::pow(10, e), minus + power_text(e));
    }
    if (step > 1) continue;
    for (int e = scale.first; e < scale.last(negative); ++e) {
      if (std::abs(e) > kPlainExponents) continue;
      for (const double factor : {2.0, 5.0})
        ticks.add(sign * factor * std::pow(10, e), minus + number_text(factor * std::pow(10, e)));
    }
  }
  axis.ticks = ticks.take();
  return axis;
}

Axis ulp_axis(double largest, AxisRoom room) {
  const auto length = [](double ulp) { return ulp <= 1 ? ulp : 1 + std::log10(ulp); };
  // Some room above the largest, so that its marks are not cut.
  const double top = length(std::max(2.0, largest)) * 1.06;
  Axis axis;
  axis.at = [length, top](double ulp) { return length(ulp) / top; };
  TickList ticks(axis.at, room);
  ticks.add(0, "0");
  const int step = decade_step(room.pixels / top, room.label_pitch);
  const int last = static_cast<int>(top);
  for (int e = 0; e <= last; ++e) {
    if (e % step == 0) ticks.add(std::pow(10, e), power_text(e));
  }
  for (const double ulp : {2.0, 5.0, 3.0, 20.0, 50.0}) ticks.add(ulp, number_text(ulp));
  axis.ticks = ticks.take();
  return axis;
}

Axis count_axis(std::uint64_t largest, AxisRoom room) {
  /// Below a count of 1, in decades: what is there can be told from what is not.
  constexpr double kBelowOne = 0.35;
  const double decades = std::log10(static_cast<double>(std::max<std::uint64_t>(10, largest)));
  const double top = (decades + kBelowOne) * 1.06;
  Axis axis;
  axis.at = [=](double count) { return count < 1 ? 0 : (kBelowOne + std::log10(count)) / top; };
  TickList ticks(axis.at, room);
  const int step = decade_step(room.pixels / top, room.label_pitch);
  for (int e = 0; e <= static_cast<int>(top); ++e) {
    if (e % step == 0) ticks.add(std::pow(10, e), power_text(e));
  }
  axis.ticks = ticks.take();
  return axis;
}

} // namespace lanewise::report
