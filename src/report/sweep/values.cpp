#include "report/sweep/values.h"

#include <fmt/format.h>

#include <cmath>

namespace lanewise::report {

namespace {

/// Significant digits that tell any two numbers of a format apart: of floats 1 + ceil(p log10 2)
/// for p bits of precision, the hidden one included.
int most_digits(formats::Format format) {
  constexpr int kIntegerDigits = 10;
  const auto& real = isa::number_format(format).real;
  if (!real) return kIntegerDigits;
  return 1 + static_cast<int>(std::ceil((1 + real->mantissa_bits) * std::log10(2)));
}

/// "1e+38" without the plus sign and the leading zeros of the exponent.
std::string compact(std::string text) {
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  std::size_t digits = exponent + 1;
  if (text[digits] == '-') ++digits;
  while (digits + 1 < text.size() && (text[digits] == '+' || text[digits] == '0'))
    text.erase(digits, 1);
  return text;
}

} // namespace

std::string value_text(formats::Format format, std::uint32_t bits) {
  const double value = formats::value_of_bits(format, bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (formats::is_integer(format)) return fmt::format("{:.0f}", value);
  for (int digits = 1; digits < most_digits(format); ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    if (formats::round_to_bits(format, std::stod(text)) == bits) return compact(text);
  }
  return compact(fmt::format("{:.{}g}", value, most_digits(format)));
}

std::string result_text(formats::Format format, std::uint32_t bits) {
  if (formats::is_integer(format)) return value_text(format, bits);
  return number_text(formats::value_of_bits(format, bits), most_digits(format) + 2);
}

std::string exact_text(formats::Format format, double value) {
  return number_text(value, most_digits(format) + 4);
}

std::string bits_text(formats::Format format, std::uint32_t bits) {
  return fmt::format("{:0{}X}", bits, formats::is_32bit(format) ? 8 : 4);
}

std::string datum_text(formats::Format format, std::uint32_t bits) {
  return bits_text(format, bits) + " " + value_text(format, bits);
}

std::string number_text(double value, int significant_digits) {
  if (std::isnan(value)) return "nan";
  return compact(fmt::format("{:.{}g}", value, significant_digits));
}

std::string ulp_text(double value, int significant_digits) {
  return compact(fmt::format("{:.{}g}", value, significant_digits));
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  if (part == 0 || part == whole) return fmt::format("{:.0f} %", percent);
  if (percent < 0.01) return "<0.01 %";
  return percent > 99.99 ? ">99.99 %" : fmt::format("{:.2f} %", percent);
}

std::string place_text(const sweep::SweepResult& result, const sweep::SweepCase& at) {
  const auto operand = [&](char name, std::uint32_t bits) {
    return fmt::format("{} = {} ({})", name, value_text(result.format, bits),
                       bits_text(result.format, bits));
  };
  return result.operands == 1 ? operand('x', at.x) : operand('x', at.x) + ", " + operand('y', at.y);
}

std::string ulp_count_text(double ulp) {
  constexpr double kLongestWhole = 1e12;
  return ulp == std::floor(ulp) && std::abs(ulp) < kLongestWhole ? fmt::format("{:.0f}", ulp)
                                                                 : number_text(ulp);
}

std::string case_ulp_text(formats::UlpMeasure measure, formats::Format format,
                          const sweep::SweepCase& at) {
  const double distance = sweep::distance_of(measure, format, at) + 0.0; // no -0
  if (std::isinf(distance)) return "lost";
  return (std::signbit(distance) ? "" : "+") + ulp_count_text(distance);
}

bool agrees(formats::Format format, const sweep::SweepCase& at) {
  const auto is_nan = [&](std::uint32_t bits) {
    return formats::number_class(format, bits) == formats::NumberClass::NaN;
  };
  return at.expected == at.found || (is_nan(at.expected) && is_nan(at.found));
}

std::string chip_name(Arch arch) {
  return std::string(arch_params(arch).names.id);
}

} // namespace lanewise::report
