// The measures of number/formats/ulp_measure.h as types: for loops over many results, which the
// compiler then writes for one measure and one format.
#pragma once

#include <algorithm>
#include <cmath>

#include "number/formats/number_line.h"
#include "number/formats/ulp_measure.h"

namespace lanewise::formats {

/// What a result should be. Not a NaN.
struct WantedResult {
  std::uint32_t bits = 0;    ///< rounded
  double exact = 0;          ///< before
  std::int64_t position = 0; ///< of `bits` in their line
  double place = 0;          ///< of `exact` in the line (place_of())
};

/// Where a number before rounding stands in the line of any format. Integers end at their range.
template <class Line>
double place_of(double exact, const ValueRange& range) {
  if constexpr (Line::kIsInteger) {
    return std::clamp(exact, range.lowest, range.highest); // a NaN stays
  } else {
    return place_in_line<Line>(exact);
  }
}

inline constexpr UlpError kLostResult{kLost, kNotCompared};

/// Steps in the line of the chip's numbers. Infinity is a step behind the largest number.
struct LineRule {
  template <class Line>
  static UlpError error(const WantedResult& wanted, std::uint32_t found) {
    const std::int64_t position = Line::position(found);
    const std::int64_t distance = position - wanted.position;
    const bool is_near = distance >= -1 && distance <= 1;
    const bool is_lost = Line::is_nan(found) || (Line::is_infinite(found) && !is_near);
    // A result that Dst has to flush is as good as the format allows.
    const bool is_flushed = !Line::kIsInteger && position == 0 && wanted.position == 0;
    const double error = is_flushed ? 0 : std::abs(static_cast<double>(position) - wanted.place);
    const bool is_compared = !is_lost && error >= 0; // no NaN
    return {is_lost ? kLost : static_cast<double>(distance), is_compared ? error : kNotCompared};
  }
};

/// Whether both are infinite with one sign, both finite, or neither: what tools that divide by a
/// gap look at first.
enum class Finiteness : std::uint8_t { BothFinite, SameInfinity, Differs };

template <class Line>
Finiteness finiteness(std::uint32_t expected, std::uint32_t found) {
  if (Line::is_nan(found)) return Finiteness::Differs;
  const bool is_infinite = Line::is_infinite(found);
  if (is_infinite != Line::is_infinite(expected)) return Finiteness::Differs;
  if (!is_infinite) return Finiteness::BothFinite;
  return Line::is_negative(found) == Line::is_negative(expected) ? Finiteness::SameInfinity
                                                                 : Finiteness::Differs;
}

/// Numbers whose difference is divided by the gap above the rounded golden, signed; and the same
/// of the golden before rounding.
template <class Line>
UlpError in_gaps(double found, double golden, const WantedResult& wanted) {
  [[maybe_unused]] constexpr double kLargest = Line::number(Line::kLargest);
  // Where a format ends without an infinity, its largest number is what there is beyond.
  double exact = wanted.exact;
  if constexpr (Line::kIsInteger) {
    exact = wanted.place;
  } else if constexpr (!Line::kHasSpecials) {
    exact = std::clamp(exact, -kLargest, kLargest);
  }
  const double gap = Line::gap(wanted.bits);
  const double error = std::abs(found - exact) / gap;
  return {(found - golden) / gap, error >= 0 ? error : kNotCompared}; // no NaN
}

/// helpers/ulp.py of tt-llk's tests: steps, but none between a number and infinity. Its FP16 keeps
/// denormals.
struct TtLlkRule {
  template <class Line>
  static UlpError error(const WantedResult& wanted, std::uint32_t found) {
    switch (finiteness<Line>(wanted.bits, found)) {
      case Finiteness::Differs: return kLostResult;
      case Finiteness::SameInfinity: return {};
      case Finiteness::BothFinite: break;
    }
    return {static_cast<double>(rank<Line>(found) - rank<Line>(wanted.bits)), kNotCompared};
  }

 private:
  template <class Line>
  static std::int64_t rank(std::uint32_t bits) {
    if constexpr (Line::kIsInteger || Line::kHasSpecials) {
      return Line::position(bits);
    } else {
      const std::int64_t magnitude = Line::magnitude(bits);
      return Line::is_negative(bits) ? -magnitude : magnitude;
    }
  }
};

/// comp_ulp() of ttnn: nothing is flushed, the golden keeps its denormals when it is rounded.
struct TtnnRule {
  template <class Line>
  static UlpError error(const WantedResult& wanted, std::uint32_t found) {
    switch (finiteness<Line>(wanted.bits, found)) {
      case Finiteness::Differs: return kLostResult;
      case Finiteness::SameInfinity: return {0, 0};
      case Finiteness::BothFinite: break;
    }
    return in_gaps<Line>(Line::number(found), golden<Line>(wanted), wanted);
  }

 private:
  template <class Line>
  static double golden(const WantedResult& wanted) {
    if (Line::kIsInteger || wanted.position != 0) return Line::number(wanted.bits);
    const double gap = Line::gap(wanted.bits);
    return std::nearbyint(wanted.exact / gap) * gap;
  }
};

/// metrics.py of tt-eltwise-accuracy-report: both sides flushed; what it gives no ULP is lost where
/// it is wrong.
template <bool kIsRounded>
struct AccuracyReportRule {
  template <class Line>
  static UlpError error(const WantedResult& wanted, std::uint32_t found) {
    switch (finiteness<Line>(wanted.bits, found)) {
      case Finiteness::Differs: return kLostResult;
      case Finiteness::SameInfinity: return {0, 0};
      case Finiteness::BothFinite: break;
    }
    const double result = flushed<Line>(found);
    const double golden = flushed<Line>(wanted.bits);
    const bool has_score = Line::kIsInteger || is_scored<Line>(result, golden, wanted.exact);
    if (!has_score) return result == golden ? UlpError{} : kLostResult;
    UlpError error = in_gaps<Line>(result, golden, wanted);
    if (!kIsRounded && error.exact != kNotCompared)
      error.distance = result < wanted.exact ? -error.exact : error.exact;
    return error;
  }

 private:
  template <class Line>
  static double flushed(std::uint32_t bits) {
    return Line::position(bits) == 0 ? 0 : Line::number(bits);
  }

  /// A zero on one side only is a defect without a size, as is a golden that underflows or lies
  /// beyond the largest number.
  template <class Line>
  static bool is_scored(double result, double golden, double exact) {
    constexpr double kLargest = Line::number(Line::kLargest);
    if (result == 0 || golden == 0) return result == 0 && exact == 0;
    return !Line::kHasSpecials || std::abs(exact) <= kLargest;
  }
};

/// Calls `function` with the rule of a measure.
template <class Function>
auto with_rule(UlpMeasure measure, Function&& function) {
  switch (measure) {
    case UlpMeasure::Line: return function(LineRule{});
    case UlpMeasure::TtLlk: return function(TtLlkRule{});
    case UlpMeasure::Ttnn: return function(TtnnRule{});
    case UlpMeasure::AccuracyReport: return function(AccuracyReportRule<true>{});
    case UlpMeasure::AccuracyReportUnrounded: break;
  }
  return function(AccuracyReportRule<false>{});
}

} // namespace lanewise::formats
