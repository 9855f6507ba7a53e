#include "numbers/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "semantics/dst_format.h"

namespace lanewise::lab {
namespace {

/// A binary floating-point layout, sign first.
struct FloatLayout {
  int exponent_bits;
  int mantissa_bits;
  bool has_specials;    ///< the top exponent means Inf and NaN
  bool keeps_denormals; ///< when numbers are rounded to it
  int denormal_unit;    ///< a denormal is its mantissa times 2 to this

  constexpr int width() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t top_exponent() const { return (1u << exponent_bits) - 1; }
  constexpr std::uint32_t infinity() const { return top_exponent() << mantissa_bits; }
  constexpr std::uint32_t mantissa_mask() const { return (1u << mantissa_bits) - 1; }
  constexpr std::uint32_t hidden_one() const { return 1u << mantissa_bits; }
  constexpr std::uint32_t magnitude_mask() const { return infinity() | mantissa_mask(); }
  constexpr std::uint32_t sign_bit() const { return 1u << (width() - 1); }
};

constexpr FloatLayout kFp32{8, 23, true, true, -149};
constexpr FloatLayout kBf16{8, 7, true, false, -133};
// SFPLOAD gives a denormal FP16 the FP32 exponent 0 and the mantissa m10 << 13, and the lowest
// mantissa bit of an FP32 denormal is worth 2^-149: 13 - 149 = -136 (VU 3.4).
constexpr FloatLayout kFp16{5, 10, false, false, -136};

/// Sign and magnitude, or magnitude only.
struct IntegerLayout {
  int width; ///< of the value bits
  std::uint32_t magnitude_mask;
  bool is_signed;
};

constexpr IntegerLayout kInt32{32, 0x7FFF'FFFF, true};
constexpr IntegerLayout kInt16{16, 0x7FFF, true};
constexpr IntegerLayout kInt8{16, 0x3FF, true};
constexpr IntegerLayout kUint16{16, 0xFFFF, false};
constexpr IntegerLayout kUint32{32, 0xFFFF'FFFF, false};

/// The exponent field of an INT8 cell whose magnitude is not 0 (MU 1.1).
constexpr std::uint32_t kInt8Exponent = 16;

struct FormatRow {
  std::string_view name;
  std::uint32_t srcb_code;
  std::optional<FloatLayout> real;
  IntegerLayout integer;
};

FormatRow row_of(Format format) {
  switch (format) {
    case Format::FP32: return {"fp32", 0, kFp32, {}};
    case Format::BF16: return {"bf16", 5, kBf16, {}};
    case Format::FP16: return {"fp16", 1, kFp16, {}};
    case Format::INT32: return {"int32", 8, std::nullopt, kInt32};
    case Format::INT16: return {"int16", 9, std::nullopt, kInt16};
    case Format::UINT16: return {"uint16", 9, std::nullopt, kUint16};
    case Format::INT8: return {"int8", 14, std::nullopt, kInt8};
    case Format::UINT32: break;
  }
  return {"uint32", 8, std::nullopt, kUint32};
}

// --- A double, field by field. The host's own conversions are not used: they depend on its
// rounding
// --- mode and make signalling NaNs quiet.

constexpr int kDoubleMantissaBits = 52;
constexpr int kDoubleBias = 1023;
constexpr std::uint64_t kDoubleTopExponent = 0x7FF;
constexpr std::uint64_t kDoubleHiddenOne = std::uint64_t{1} << kDoubleMantissaBits;

/// significand / 2^dropped to the nearest integer, ties to even. significand < 2^53, dropped > 0.
std::uint64_t shift_right_to_even(std::uint64_t significand, int dropped) {
  if (dropped > kDoubleMantissaBits + 1) return 0; // below one half
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = significand & (2 * half - 1);
  const std::uint64_t kept = significand >> dropped;
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

std::uint32_t special_to_float(const FloatLayout& layout, std::uint64_t fraction) {
  if (!layout.has_specials) return layout.magnitude_mask();
  if (fraction == 0) return layout.infinity();
  const auto payload =
      static_cast<std::uint32_t>(fraction >> (kDoubleMantissaBits - layout.mantissa_bits));
  const std::uint32_t quiet = layout.hidden_one() >> 1;
  return layout.infinity() | (payload != 0 ? payload : quiet);
}

std::uint32_t finite_to_float(const FloatLayout& layout, int exponent, std::uint64_t significand) {
  const int smallest_normal = 1 - layout.bias();
  const int below_normal = std::max(smallest_normal - exponent, 0);
  const int dropped = kDoubleMantissaBits - layout.mantissa_bits + below_normal;
  const std::uint64_t kept = shift_right_to_even(significand, dropped);
  // The hidden one of a normal result adds 1 to the exponent field, and so does a carry out of the
  // mantissa: IEEE patterns are in the order of their magnitudes.
  const auto steps = static_cast<std::uint64_t>(std::max(exponent - smallest_normal, 0));
  const std::uint64_t magnitude = (steps << layout.mantissa_bits) + kept;
  const std::uint32_t ceiling = layout.has_specials ? layout.infinity() : layout.magnitude_mask();
  if (magnitude >= ceiling) return ceiling;
  if (magnitude < layout.hidden_one() && !layout.keeps_denormals) return 0;
  return static_cast<std::uint32_t>(magnitude);
}

std::uint32_t round_to_float(const FloatLayout& layout, double value) {
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = (pattern >> 63) != 0 ? layout.sign_bit() : 0;
  const std::uint64_t exponent = (pattern >> kDoubleMantissaBits) & kDoubleTopExponent;
  const std::uint64_t fraction = pattern & (kDoubleHiddenOne - 1);
  if (exponent == kDoubleTopExponent) return sign | special_to_float(layout, fraction);
  if (exponent == 0) return sign; // zero or a denormal double, far below every layout here
  return sign | finite_to_float(layout, static_cast<int>(exponent) - kDoubleBias,
                                fraction | kDoubleHiddenOne);
}

double float_to_number(const FloatLayout& layout, std::uint32_t bits) {
  const std::uint32_t mantissa = bits & layout.mantissa_mask();
  const std::uint32_t exponent = (bits >> layout.mantissa_bits) & layout.top_exponent();
  const bool negative = (bits & layout.sign_bit()) != 0;
  if (exponent == layout.top_exponent() && layout.has_specials) {
    const std::uint64_t fraction = static_cast<std::uint64_t>(mantissa)
                                   << (kDoubleMantissaBits - layout.mantissa_bits);
    return std::bit_cast<double>((static_cast<std::uint64_t>(negative) << 63) |
                                 (kDoubleTopExponent << kDoubleMantissaBits) | fraction);
  }
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, layout.denormal_unit)
                    : std::ldexp(layout.hidden_one() | mantissa,
                                 static_cast<int>(exponent) - layout.bias() - layout.mantissa_bits);
  return negative ? -magnitude : magnitude;
}

// --- Integers.

constexpr std::uint32_t width_mask(int width) {
  return 0xFFFF'FFFFu >> (32 - width);
}
constexpr std::uint32_t sign_of_width(int width) {
  return 1u << (width - 1);
}

/// Sign-magnitude to two's complement, and back: the conversion is its own inverse, with -0 and the
/// pattern 80..0 as a pair (VU 3.5).
std::uint32_t swap_signed_notation(std::uint32_t bits, int width) {
  const std::uint32_t sign = sign_of_width(width);
  if ((bits & sign) == 0) return bits & width_mask(width);
  return (sign - (bits & (sign - 1))) | sign;
}

std::uint32_t round_to_integer(const IntegerLayout& layout, double value) {
  if (std::isnan(value)) return 0;
  const double limit = layout.magnitude_mask;
  const double clamped = std::clamp(value, layout.is_signed ? -limit : 0.0, limit);
  const double rest = clamped - std::floor(clamped);
  const auto whole = static_cast<std::int64_t>(std::floor(clamped));
  const bool up = rest > 0.5 || (rest == 0.5 && (whole & 1) != 0);
  return static_cast<std::uint32_t>(whole + (up ? 1 : 0)) & width_mask(layout.width);
}

double integer_to_number(const IntegerLayout& layout, std::uint32_t bits) {
  bits &= width_mask(layout.width);
  if (!layout.is_signed || (bits & sign_of_width(layout.width)) == 0) return bits;
  return -static_cast<double>(swap_signed_notation(bits, layout.width) &
                              ~sign_of_width(layout.width));
}

// --- Storage order (VU 3.4, MU 1.1).

/// S, exponent, mantissa to S, mantissa, exponent; 16 bits.
std::uint32_t shuffle_cell(std::uint32_t cell, const FloatLayout& layout) {
  const std::uint32_t mantissa = cell & layout.mantissa_mask();
  const std::uint32_t exponent = (cell >> layout.mantissa_bits) & layout.top_exponent();
  return (cell & 0x8000) | mantissa << layout.exponent_bits | exponent;
}

/// The inverse of shuffle_cell().
std::uint32_t unshuffle_cell(std::uint32_t cell, const FloatLayout& layout) {
  const std::uint32_t mantissa = (cell >> layout.exponent_bits) & layout.mantissa_mask();
  const std::uint32_t exponent = cell & layout.top_exponent();
  return (cell & 0x8000) | exponent << layout.mantissa_bits | mantissa;
}

std::uint32_t int8_cell(std::uint32_t bits) {
  const std::uint32_t sign_magnitude = swap_signed_notation(bits, kInt8.width);
  const std::uint32_t magnitude = std::min(sign_magnitude & 0x7FFF, kInt8.magnitude_mask);
  return (sign_magnitude & 0x8000) | magnitude << kFp16.exponent_bits |
         (magnitude != 0 ? kInt8Exponent : 0);
}

std::uint32_t int8_value_bits(std::uint32_t cell) {
  const std::uint32_t magnitude = (cell >> kFp16.exponent_bits) & kInt8.magnitude_mask;
  return swap_signed_notation((cell & 0x8000) | magnitude, kInt8.width);
}

} // namespace

std::string_view format_name(Format format) {
  return row_of(format).name;
}

Expected<Format> parse_format(std::string_view name) {
  std::string names;
  for (const Format format : kFormats) {
    if (format_name(format) == name) return format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format_name(format));
  }
  return bad_input(fmt::format("'{}' is not a format", name), "use one of " + names);
}

bool is_32bit(Format format) {
  const FormatRow row = row_of(format);
  return (row.real ? row.real->width() : row.integer.width) == 32;
}

bool is_integer(Format format) {
  return !row_of(format).real;
}

std::uint32_t srcb_code(Format format) {
  return row_of(format).srcb_code;
}

ValueRange value_range(Format format) {
  const FormatRow row = row_of(format);
  if (row.real) {
    const std::uint32_t beyond =
        row.real->has_specials ? row.real->infinity() : row.real->magnitude_mask() + 1;
    const double largest = float_to_number(*row.real, beyond - 1);
    return {-largest, largest};
  }
  const double largest = row.integer.magnitude_mask;
  return {row.integer.is_signed ? -largest : 0.0, largest};
}

Expected<void> check_value(Format format, double value) {
  if (!is_integer(format)) return {};
  const auto [lowest, highest] = value_range(format);
  if (value >= lowest && value <= highest) {
    if (value == std::floor(value)) return {};
  } else if (!std::isnan(value)) {
    return bad_input(fmt::format("{} is outside the range of {}, {} to {}", value,
                                 format_name(format), lowest, highest),
                     "use a number of that range, or a wider format");
  }
  return bad_input(fmt::format("{} is not a whole number, as {} needs", value, format_name(format)),
                   "round the numbers first, or use a float format");
}

std::uint32_t round_to_bits(Format format, double value) {
  const FormatRow row = row_of(format);
  return row.real ? round_to_float(*row.real, value) : round_to_integer(row.integer, value);
}

double value_of_bits(Format format, std::uint32_t bits) {
  const FormatRow row = row_of(format);
  return row.real ? float_to_number(*row.real, bits) : integer_to_number(row.integer, bits);
}

std::uint32_t value_bits(Format format, std::uint32_t stored) {
  switch (format) {
    case Format::FP32:
    case Format::UINT32: return semantics::unshuffle_32<std::uint32_t>(stored);
    case Format::BF16: return semantics::unshuffle_16(stored);
    case Format::FP16: return unshuffle_cell(stored, kFp16);
    case Format::INT32:
      return swap_signed_notation(semantics::unshuffle_32<std::uint32_t>(stored), kInt32.width);
    case Format::INT16: return swap_signed_notation(stored, kInt16.width);
    case Format::UINT16: break;
    case Format::INT8: return int8_value_bits(stored);
  }
  return stored & 0xFFFF;
}

std::uint32_t from_value_bits(Format format, std::uint32_t bits) {
  switch (format) {
    case Format::FP32:
    case Format::UINT32: return semantics::shuffle_32(bits);
    case Format::BF16: return semantics::shuffle_16(bits);
    case Format::FP16: return shuffle_cell(bits, kFp16);
    case Format::INT32: return semantics::shuffle_32(swap_signed_notation(bits, kInt32.width));
    case Format::INT16: return swap_signed_notation(bits, kInt16.width);
    case Format::UINT16: break;
    case Format::INT8: return int8_cell(bits);
  }
  return bits & 0xFFFF;
}

} // namespace lanewise::lab
