// The numbers of each format in their line (number/formats/ulp.h), as types: for loops over many
// numbers, which the compiler then writes for one format without a branch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "number/formats/format.h"
#include "number/formats/ulp.h"

namespace lanewise::formats {

/// A float format: sign, exponent, mantissa. Without specials the top exponent is an ordinary one.
template <isa::FloatLayout kLayout>
struct FloatLine {
  static constexpr bool kIsInteger = false;
  static constexpr bool kHasSpecials = kLayout.has_specials();
  static constexpr int kMantissaBits = kLayout.mantissa_bits;
  static constexpr std::uint32_t kSign = kLayout.sign_bit();
  static constexpr std::uint32_t kMagnitude = kLayout.magnitude_mask();
  static constexpr std::uint32_t kSmallestNormal = kLayout.hidden_one();
  static constexpr std::uint32_t kInfinity = kLayout.infinity();
  static constexpr std::uint32_t kLargest = kHasSpecials ? kInfinity - 1 : kMagnitude;
  static constexpr int kBias = kLayout.bias;
  static constexpr int kSmallestExponent = kLayout.lowest_power();
  /// The pattern of the smallest normal number as a double, and how many steps of the format one
  /// step of doubles is.
  static constexpr std::uint64_t kSmallestNormalDouble =
      static_cast<std::uint64_t>(kSmallestExponent + 1023) << 52;
  static constexpr double kStepsPerDoubleStep = 1.0 / (std::uint64_t{1} << (52 - kMantissaBits));

  static constexpr bool is_nan(std::uint32_t bits) {
    return kHasSpecials && (bits & kMagnitude) > kInfinity;
  }
  static constexpr bool is_infinite(std::uint32_t bits) {
    return kHasSpecials && (bits & kMagnitude) == kInfinity;
  }
  static constexpr bool is_negative(std::uint32_t bits) { return (bits & kSign) != 0; }
  static constexpr std::uint32_t magnitude(std::uint32_t bits) { return bits & kMagnitude; }

  /// Of what is no NaN.
  static constexpr std::int64_t position(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & kMagnitude;
    const std::int64_t steps =
        magnitude < kSmallestNormal ? 0 : std::int64_t{magnitude} - kSmallestNormal + 1;
    return is_negative(bits) ? -steps : steps;
  }

  /// From a finite number to the next larger magnitude; from 0 and denormals to the next denormal
  /// of IEEE 754, as far as from the smallest normal number.
  static constexpr double gap(std::uint32_t bits) {
    constexpr std::uint32_t kSmallestField = 1;
    constexpr std::uint32_t kToDouble = 1023 - kBias - kMantissaBits; // of exponent fields
    const std::uint32_t field = std::max((bits & kMagnitude) >> kMantissaBits, kSmallestField);
    return std::bit_cast<double>(std::uint64_t{field + kToDouble} << 52);
  }

  /// Exactly; value_of_bits() but for the payloads of NaNs.
  static constexpr double number(std::uint32_t bits) { return std::bit_cast<float>(as_fp32(bits)); }

  static constexpr NumberClass kind(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & kMagnitude;
    if (magnitude >= kSmallestNormal && magnitude <= kLargest) return NumberClass::Normal;
    if (magnitude > kLargest)
      return magnitude == kInfinity ? NumberClass::Infinite : NumberClass::NaN;
    return magnitude == 0 ? NumberClass::Zero : NumberClass::Denormal;
  }

 private:
  static constexpr std::uint32_t as_fp32(std::uint32_t bits) {
    constexpr int kFp32Bias = 127, kFp32MantissaBits = 23;
    constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(kFp32Bias - kBias)
                                      << kFp32MantissaBits;
    const std::uint32_t moved = (bits & kMagnitude) << (kFp32MantissaBits - kMantissaBits);
    // A denormal FP16 has the FP32 exponent 0 when it is loaded (VU 3.4).
    const bool is_small = (bits & kMagnitude) < kSmallestNormal;
    return (is_small ? moved : moved + kRebias) | (is_negative(bits) ? 1U << 31 : 0U);
  }
};

/// An integer format of so many value bits.
template <int kWidth, bool kIsSigned>
struct IntegerLine {
  static constexpr bool kIsInteger = true;
  static constexpr bool kHasSpecials = false;
  static constexpr int kMantissaBits = 0;
  static constexpr int kSmallestExponent = 0;
  static constexpr std::uint32_t kMask = 0xFFFF'FFFFU >> (32 - kWidth);
  static constexpr std::uint32_t kTop = 1U << (kWidth - 1);
  static constexpr std::uint32_t kLargest = kIsSigned ? kTop - 1 : kMask;

  static constexpr bool is_nan(std::uint32_t) { return false; }
  static constexpr bool is_infinite(std::uint32_t) { return false; }
  static constexpr bool is_negative(std::uint32_t bits) { return kIsSigned && (bits & kTop) != 0; }
  static constexpr std::uint32_t magnitude(std::uint32_t bits) {
    return (is_negative(bits) ? -bits : bits) & kMask;
  }

  static constexpr std::int64_t position(std::uint32_t bits) {
    const std::uint32_t value = bits & kMask;
    if (!is_negative(bits)) return value;
    // The pattern 80..0 is the magnitude 0 with a sign (number/formats/format.h).
    return value == kTop ? 0 : std::int64_t{value} - 2 * std::int64_t{kTop};
  }

  static constexpr double gap(std::uint32_t) { return 1; }

  static constexpr double number(std::uint32_t bits) {
    return kIsSigned && (bits & kMask) == kTop ? -0.0 : static_cast<double>(position(bits));
  }

  static constexpr NumberClass kind(std::uint32_t bits) {
    return position(bits) == 0 ? NumberClass::Zero : NumberClass::Normal;
  }
};

template <Format kFormat>
constexpr auto line_of() {
  constexpr const isa::NumberFormat& kRow = isa::number_format(kFormat);
  if constexpr (kRow.real.has_value()) {
    return FloatLine<*kRow.real>{};
  } else {
    return IntegerLine<kRow.integer->width, kRow.integer->is_signed>{};
  }
}

/// Calls `function` with the line of a format.
template <class Function>
auto with_line(Format format, Function&& function) {
  return with_format(format, [&]<Format kFormat>(std::integral_constant<Format, kFormat>) {
    return function(line_of<kFormat>());
  });
}

/// The place of the end of a float format's line.
template <class Line>
constexpr double last_place() {
  return static_cast<double>(Line::position(Line::kHasSpecials ? Line::kInfinity : Line::kLargest));
}

/// Where a number that need not be one of a float format stands in the line: between its neighbours
/// in proportion, and beyond the end at the end. NaN for a NaN.
template <class Line>
constexpr double place_in_line(double number) {
  constexpr double kEnd = last_place<Line>();
  constexpr double kSmallest = std::bit_cast<double>(Line::kSmallestNormalDouble);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(number) & ~kSign;
  // The patterns of doubles rise in a straight line between powers of two, as those of the format
  // do, only in finer steps.
  const auto steps =
      static_cast<double>(static_cast<std::int64_t>(magnitude - Line::kSmallestNormalDouble));
  const double size = std::bit_cast<double>(magnitude);
  const double place = size < kSmallest ? size / kSmallest : steps * Line::kStepsPerDoubleStep + 1;
  const double within = place < kEnd ? place : kEnd;
  return number != number ? number : number < 0 ? -within : within;
}

} // namespace lanewise::formats
