#include "source/assembly/float_literal.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <compare>
#include <cstdio>
#include <string>
#include <system_error>

#include "base/float_chars.h"
#include "base/in_quotes.h"
#include "source/assembly/lexer.h"

namespace lanewise::assembly {
namespace {

constexpr unsigned kDoubleMantissaBits = 52;
constexpr std::int64_t kDoubleBias = 1023;

/// 0.digits * 10^exponent, without leading and trailing zeros in `digits`.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;

  /// Of non-zero numbers.
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
    if (a.exponent != b.exponent) return a.exponent <=> b.exponent;
    return a.digits.compare(b.digits) <=> 0;
  }
};

/// Takes a number apart that from_chars has accepted.
Decimal parse_decimal(std::string_view text) {
  Decimal result;
  const std::size_t exponent_at = text.find_first_of("eE");
  if (exponent_at != std::string_view::npos) {
    std::string_view exponent = text.substr(exponent_at + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  }
  bool behind_point = false;
  for (const char c : text.substr(0, exponent_at)) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    if (c == '0' && result.digits.empty()) {
      if (behind_point) --result.exponent;
      continue;
    }
    result.digits += c;
    if (!behind_point) ++result.exponent;
  }
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  return result;
}

/// All digits of a double; within the range of FP32 there are fewer than 200.
Decimal exact_decimal(double value) {
  std::array<char, 256> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.200e", value);
  return parse_decimal({buffer.data(), static_cast<std::size_t>(length)});
}

/// Bits of the double nearest to a number, made odd where that double is not the number itself.
/// Rounding those to fewer bits then rounds the number as written: without this, a number just
/// above a midpoint could become the midpoint first and then go to the even side.
std::uint64_t round_to_odd(double nearest, std::string_view text) {
  const auto bits = std::bit_cast<std::uint64_t>(nearest);
  const auto order = parse_decimal(text) <=> exact_decimal(nearest);
  if (order == 0 || (bits & 1) != 0) return bits;
  return order > 0 ? bits + 1 : bits - 1;
}

Unexpected out_of_range(const FloatFormat& format, std::string_view text, std::string_view what) {
  return bad_input(fmt::format("{} is too {} for {}", in_quotes(text), what, format.name),
                   "write the bits in hexadecimal instead");
}

} // namespace

Expected<std::uint16_t> encode_float(const FloatFormat& format, std::string_view text,
                                     bool negative) {
  const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
  double nearest = 0;
  const auto [end, error] = float_from_chars(text.data(), text.data() + text.size(), nearest);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return bad_input(fmt::format("{} is not a decimal number", in_quotes(text)),
                     "write it as 1.5 or 15e-1");
  }
  if (error == std::errc::result_out_of_range) {
    return out_of_range(format, text, "large or too small");
  }
  if (nearest == 0) {
    if (format.has_zero) return sign;
    return out_of_range(format, text, "small");
  }
  // Far outside either format; within, the digits of the double are few.
  if (nearest < 0x1p-140) return out_of_range(format, text, "small");
  if (nearest > 0x1p+140) return out_of_range(format, text, "large");

  const std::uint64_t odd = round_to_odd(nearest, text);
  const unsigned dropped = kDoubleMantissaBits - format.mantissa_bits;
  const std::uint64_t is_odd = odd >> dropped & 1;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rounded = (odd + half - 1 + is_odd) >> dropped;
  const auto exponent = static_cast<std::int64_t>(rounded >> format.mantissa_bits) - kDoubleBias;
  if (exponent < format.min_exponent) return out_of_range(format, text, "small");
  if (exponent > format.max_exponent) return out_of_range(format, text, "large");
  const std::uint64_t mantissa = rounded & ((std::uint64_t{1} << format.mantissa_bits) - 1);
  const auto biased = static_cast<std::uint64_t>(exponent + format.bias);
  return static_cast<std::uint16_t>(sign | biased << format.mantissa_bits | mantissa);
}

} // namespace lanewise::assembly
