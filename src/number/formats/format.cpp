#include "number/formats/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/in_quotes.h"

namespace lanewise::formats {
namespace {

using isa::FloatLayout;
using isa::IntegerLayout;

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
  if (!layout.has_specials()) return layout.magnitude_mask();
  if (fraction == 0) return layout.infinity();
  const auto payload =
      static_cast<std::uint32_t>(fraction >> (kDoubleMantissaBits - layout.mantissa_bits));
  const std::uint32_t quiet = layout.hidden_one() >> 1;
  return layout.infinity() | (payload != 0 ? payload : quiet);
}

std::uint32_t finite_to_float(const FloatLayout& layout, int exponent, std::uint64_t significand) {
  const int smallest_normal = 1 - layout.bias;
  const int below_normal = std::max(smallest_normal - exponent, 0);
  const int dropped = kDoubleMantissaBits - layout.mantissa_bits + below_normal;
  const std::uint64_t kept = shift_right_to_even(significand, dropped);
  // The hidden one of a normal result adds 1 to the exponent field, and so does a carry out of the
  // mantissa: IEEE patterns are in the order of their magnitudes.
  const auto steps = static_cast<std::uint64_t>(std::max(exponent - smallest_normal, 0));
  const std::uint64_t magnitude = (steps << layout.mantissa_bits) + kept;
  const std::uint32_t ceiling = layout.has_specials() ? layout.infinity() : layout.magnitude_mask();
  if (magnitude >= ceiling) return ceiling;
  if (magnitude < layout.hidden_one() && !layout.keeps_denormals()) return 0;
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
  if (exponent == layout.top_exponent() && layout.has_specials()) {
    const std::uint64_t fraction = static_cast<std::uint64_t>(mantissa)
                                   << (kDoubleMantissaBits - layout.mantissa_bits);
    return std::bit_cast<double>((static_cast<std::uint64_t>(negative) << 63) |
                                 (kDoubleTopExponent << kDoubleMantissaBits) | fraction);
  }
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, layout.denormal_power())
                    : std::ldexp(layout.hidden_one() | mantissa,
                                 static_cast<int>(exponent) - layout.bias - layout.mantissa_bits);
  return negative ? -magnitude : magnitude;
}

// --- Integers.

constexpr std::uint32_t width_mask(int width) {
  return isa::low_ones(static_cast<unsigned>(width));
}
constexpr std::uint32_t sign_of_width(int width) {
  return (width_mask(width) >> 1) + 1;
}

/// Sign-magnitude to two's complement, and back: the conversion is its own inverse, with -0 and the
/// pattern 80..0 as a pair (VU 3.5).
constexpr std::uint32_t swap_signed_notation(std::uint32_t bits, int width) {
  const std::uint32_t sign = sign_of_width(width);
  if ((bits & sign) == 0) return bits & width_mask(width);
  return (sign - (bits & (sign - 1))) | sign;
}

std::uint32_t round_to_integer(const IntegerLayout& layout, double value) {
  if (std::isnan(value)) return 0;
  const double clamped = std::clamp(value, layout.lowest(), layout.largest());
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

constexpr int kCellBits = 16;
constexpr std::uint32_t kCellSign = 0x8000;

/// S, exponent, mantissa to the order of a cell; 16 bits.
constexpr std::uint32_t shuffle_cell(std::uint32_t cell, const isa::CellFields& fields) {
  const std::uint32_t mantissa = cell & isa::low_ones(fields.mantissa);
  const std::uint32_t exponent = (cell >> fields.mantissa) & isa::low_ones(fields.exponent);
  return (cell & kCellSign) | mantissa << fields.exponent | exponent;
}

/// The inverse of shuffle_cell().
constexpr std::uint32_t unshuffle_cell(std::uint32_t cell, const isa::CellFields& fields) {
  const std::uint32_t mantissa = (cell >> fields.exponent) & isa::low_ones(fields.mantissa);
  const std::uint32_t exponent = cell & isa::low_ones(fields.exponent);
  return (cell & kCellSign) | exponent << fields.mantissa | mantissa;
}

/// An integer in a cell that has an exponent: Integer "8".
constexpr std::uint32_t cell_with_exponent(std::uint32_t sign_magnitude,
                                           const isa::NumberFormat& row) {
  const std::uint32_t magnitude =
      std::min(sign_magnitude & ~kCellSign, row.integer->magnitude_mask());
  return (sign_magnitude & kCellSign) | magnitude << row.dst->cell.exponent |
         (magnitude != 0 ? isa::kInt8Exponent : 0);
}

constexpr std::uint32_t without_exponent(std::uint32_t cell, const isa::NumberFormat& row) {
  const std::uint32_t magnitude = cell >> row.dst->cell.exponent & row.integer->magnitude_mask();
  return (cell & kCellSign) | magnitude;
}

/// Whether an integer is stored with an exponent that means nothing.
constexpr bool is_int8(const isa::NumberFormat& row) {
  return row.integer && row.integer->width == kCellBits && row.dst->cell.exponent != 0;
}

/// A signed integer's other notation; other value bits as they are.
constexpr std::uint32_t other_notation(std::uint32_t bits, const isa::NumberFormat& row) {
  const bool is_signed = row.integer && row.integer->is_signed;
  return is_signed ? swap_signed_notation(bits, row.integer->width) : bits;
}

// Of a row that is known when this is compiled: many data of one format are converted.

constexpr std::uint32_t value_bits_in(const isa::NumberFormat& row, std::uint32_t stored) {
  if (is_int8(row)) return other_notation(without_exponent(stored, row), row);
  const auto plain = [&](std::uint32_t cell) { return unshuffle_cell(cell, row.dst->cell); };
  if (row.width() == kCellBits) return other_notation(plain(stored & 0xFFFF), row);
  return other_notation(plain(stored >> kCellBits) << kCellBits | (stored & 0xFFFF), row);
}

constexpr std::uint32_t stored_bits_in(const isa::NumberFormat& row, std::uint32_t bits) {
  const std::uint32_t datum = other_notation(bits, row);
  if (is_int8(row)) return cell_with_exponent(datum, row);
  const auto shuffled = [&](std::uint32_t cell) { return shuffle_cell(cell, row.dst->cell); };
  if (row.width() == kCellBits) return shuffled(datum & 0xFFFF);
  return shuffled(datum >> kCellBits) << kCellBits | (datum & 0xFFFF);
}

} // namespace

Expected<Format> parse_format(std::string_view name) {
  std::string names;
  for (const Format format : kFormats) {
    if (format_name(format) == name) return format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format_name(format));
  }
  return bad_input(fmt::format("{} is not a format", in_quotes(name)), "use one of " + names);
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
  return round_to_bits(isa::number_format(format), value);
}

std::uint32_t round_to_bits(const isa::NumberFormat& row, double value) {
  return row.real ? round_to_float(*row.real, value) : round_to_integer(*row.integer, value);
}

double value_of_bits(Format format, std::uint32_t bits) {
  return value_of_bits(isa::number_format(format), bits);
}

double value_of_bits(const isa::NumberFormat& row, std::uint32_t bits) {
  return row.real ? float_to_number(*row.real, bits) : integer_to_number(*row.integer, bits);
}

std::uint32_t value_bits(Format format, std::uint32_t stored) {
  return with_format(format, [stored]<Format kFormat>(std::integral_constant<Format, kFormat>) {
    return value_bits_in(isa::number_format(kFormat), stored);
  });
}

std::uint32_t from_value_bits(Format format, std::uint32_t bits) {
  return with_format(format, [bits]<Format kFormat>(std::integral_constant<Format, kFormat>) {
    return stored_bits_in(isa::number_format(kFormat), bits);
  });
}

} // namespace lanewise::formats
