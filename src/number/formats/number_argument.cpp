#include "number/formats/number_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

#include "base/float_chars.h"
#include "base/in_quotes.h"
#include "number/formats/format.h"

namespace lanewise::formats {

namespace {

constexpr unsigned kPatternBits = 16;
constexpr std::size_t kShortDigits = 4; ///< of a hexadecimal pattern of 16 bits

Unexpected not_a_number(std::string_view text) {
  return bad_input(fmt::format("{} is neither a number nor a pattern", in_quotes(text)),
                   "write a number as 1.5, 1e-3, inf or nan, a pattern of 16 bits as 0x3FC0, one "
                   "of 32 bits as 0x3FC00000");
}

/// How to write an integer as a number.
std::string with_a_point(std::string_view integer) {
  constexpr std::size_t kShort = 20;
  return integer.size() <= kShort ? fmt::format("write {}.0 for the number", integer)
                                  : "write it with .0 for the number";
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// All of the text in a base, as far as 64 bits go.
struct Digits {
  std::uint64_t value = 0;
  bool too_many = false;
};
std::optional<Digits> parse_digits(std::string_view text, int base) {
  Digits digits;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, digits.value, base);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  digits.too_many = error == std::errc::result_out_of_range;
  return digits;
}

/// A magnitude as a float or a double; beyond its range the infinity or zero that it rounds to.
template <class Real>
std::optional<Real> parse_real(const std::string& text) {
  const bool hexadecimal = text.starts_with("0x");
  Real value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      float_from_chars(text.data() + (hexadecimal ? 2 : 0), end, value,
                       hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  if (error != std::errc::result_out_of_range) return value;
  // from_chars() leaves the value alone then, and strtod() knows on which side it is.
  if constexpr (std::is_same_v<Real, float>) return std::strtof(text.c_str(), nullptr);
  return static_cast<Real>(std::strtod(text.c_str(), nullptr));
}

std::uint32_t fp32_bits(float magnitude, bool negative) {
  return std::bit_cast<std::uint32_t>(std::copysign(magnitude, negative ? -1.0F : 1.0F));
}

/// A number that has been found to be one by its looks. `magnitude` is what follows its sign, in
/// lower case.
Expected<NumberArgument> parse_number(std::string_view text, const std::string& magnitude,
                                      bool negative) {
  const auto value = parse_real<double>(magnitude);
  const auto nearest = parse_real<float>(magnitude);
  if (!value || !nearest || std::signbit(*value)) return not_a_number(text); // or a second sign
  return NumberArgument{.kind = NumberArgument::Kind::Number,
                        .number = std::copysign(*value, negative ? -1.0 : 1.0),
                        .bits = fp32_bits(*nearest, negative)};
}

} // namespace

Expected<std::uint32_t> parse_pattern(std::string_view text, unsigned width) {
  const std::string lower = lower_case(text);
  const bool hexadecimal = lower.starts_with("0x");
  const auto digits =
      parse_digits(std::string_view(lower).substr(hexadecimal ? 2 : 0), hexadecimal ? 16 : 10);
  if (!digits) {
    return bad_input(fmt::format("{} is no pattern of bits", in_quotes(text)),
                     "write it in hexadecimal with 0x, or as a decimal number without a sign");
  }
  if (digits->too_many || digits->value >> width != 0) {
    return bad_input(fmt::format("{} has more than {} bits", in_quotes(text), width),
                     fmt::format("the largest pattern is {:#x}", (std::uint64_t{1} << width) - 1));
  }
  return static_cast<std::uint32_t>(digits->value);
}

Expected<NumberArgument> parse_number_argument(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  const bool has_sign = negative || rest.starts_with('+');
  if (has_sign) rest.remove_prefix(1);
  const std::string lower = lower_case(rest);
  const bool hexadecimal = lower.starts_with("0x");
  const auto has = [&](const char* mark) { return lower.find(mark) != std::string::npos; };
  const bool is_number =
      has(".") || has("inf") || has("nan") || (hexadecimal ? has("p") : has("e"));
  if (is_number) return parse_number(text, lower, negative);

  const std::string_view digits = std::string_view(lower).substr(hexadecimal ? 2 : 0);
  if (!parse_digits(digits, hexadecimal ? 16 : 10)) return not_a_number(text);
  if (has_sign) {
    return bad_input(fmt::format("{} is an integer, which is taken for a pattern of bits and has "
                                 "no sign",
                                 in_quotes(text)),
                     hexadecimal ? "leave out the sign" : with_a_point(text));
  }
  const bool is_fp32 = hexadecimal && digits.size() > kShortDigits;
  const auto bits = parse_pattern(lower, is_fp32 ? 32 : kPatternBits);
  if (bits) {
    if (!is_fp32) return NumberArgument{NumberArgument::Kind::Pattern, 0, *bits};
    return NumberArgument{NumberArgument::Kind::Fp32Pattern, value_of_bits(Format::FP32, *bits),
                          *bits};
  }
  Fault fault = bits.error();
  if (!hexadecimal) fault.remedy = with_a_point(text);
  return Unexpected(std::move(fault));
}

} // namespace lanewise::formats
