#include "number/formats/number_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/in_quotes.h"
#include "chip/semantics/dst_format.h"
#include "chip/semantics/float_fields.h"
#include "chip/semantics/lut.h"

namespace lanewise::formats {

namespace {

using semantics::kExponentMask;
using semantics::kMantissaMask;
using semantics::kSign;

constexpr const isa::FloatLayout& layout_of(NumberForm form) {
  return *isa::number_format(form).real;
}

constexpr int kFp32Bias = layout_of(NumberForm::Fp32).bias;
constexpr std::uint32_t kRebias = kFp32Bias - layout_of(NumberForm::Fp16).bias;
constexpr std::uint32_t kTopExponent8 = layout_of(NumberForm::Fp32).top_exponent();
constexpr std::uint32_t kTopExponent5 = layout_of(NumberForm::Fp16).top_exponent();
constexpr std::uint32_t kLut8Zero = *layout_of(NumberForm::Lut8).zero();

/// Bits of an FP32 behind those of a form that is its upper part.
constexpr unsigned dropped_bits(NumberForm form) {
  return 32 - form_width(form);
}

// Magnitudes in rising order: the n-th from 0. The finite ones; then, if the form has it, infinity.

std::uint32_t magnitude_count(NumberForm form) {
  const isa::FloatLayout& layout = layout_of(form);
  if (layout.has_specials()) return layout.infinity() + 1;
  // Without denormals; 0, if there is one, and the ordinary exponents. nth_pattern() has the one of
  // Lut8 that is lost.
  const int exponents = layout.highest_power() - layout.lowest_power() + 1;
  return (layout.zero() ? 1U : 0U) +
         (static_cast<std::uint32_t>(exponents) << layout.mantissa_bits);
}

std::uint32_t nth_lut8_pattern(std::uint32_t n, std::uint32_t sign) {
  if (n == 0) return kLut8Zero;
  // The largest of exponent 7 would be FF with a minus, which is 0: the next one takes its place.
  const bool is_behind_zero = n > 15 && n < magnitude_count(NumberForm::Lut8) - 1;
  const std::uint32_t rank = n - 1 + (sign != 0 && is_behind_zero ? 1 : 0);
  return sign | (7 - rank / 16) << 4 | rank % 16;
}

/// The pattern of the n-th magnitude with a sign.
std::uint32_t nth_pattern(NumberForm form, std::uint32_t n, bool negative) {
  const isa::FloatLayout& layout = layout_of(form);
  const std::uint32_t sign = negative ? layout.sign_bit() : 0;
  if (form == NumberForm::Lut8) return nth_lut8_pattern(n, sign);
  if (layout.has_specials() || !layout.zero()) return sign | n;
  const auto first = static_cast<std::uint32_t>(layout.first_field()) << layout.mantissa_bits;
  return sign | (n == 0 ? *layout.zero() : first + n - 1);
}

double magnitude_of(NumberForm form, std::uint32_t pattern) {
  return std::abs(form_value(form, pattern));
}

/// The same, but infinity is the number that would stand in its place.
double magnitude_or_next(NumberForm form, std::uint32_t pattern) {
  const double magnitude = magnitude_of(form, pattern);
  return std::isinf(magnitude) ? std::ldexp(1.0, layout_of(form).highest_power() + 1) : magnitude;
}

/// How many of the magnitudes are at most `magnitude`.
std::uint32_t magnitudes_up_to(NumberForm form, double magnitude, bool negative) {
  std::uint32_t low = 0, high = magnitude_count(form);
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (magnitude_of(form, nth_pattern(form, middle, negative)) <= magnitude) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

double unit_in_last_place(NumberForm form, double number) {
  const isa::FloatLayout& layout = layout_of(form);
  const int lowest = layout.lowest_power();
  const int power = number == 0 ? lowest : std::ilogb(number);
  return std::ldexp(1.0, std::clamp(power, lowest, layout.highest_power()) - layout.mantissa_bits);
}

/// The upper part of a NaN, which has lost all of its mantissa if that was small.
std::optional<FormPattern> cut_nan(NumberForm form, double nan) {
  if (!layout_of(form).has_specials()) return std::nullopt;
  return in_place_of(form, nan, round_to_bits(Format::FP32, nan) >> dropped_bits(form));
}

/// The same, but still a NaN.
std::optional<FormPattern> rounded_nan(NumberForm form, double nan) {
  const auto cut = cut_nan(form, nan);
  if (!cut || std::isnan(cut->value)) return cut;
  const std::uint32_t quiet = layout_of(form).hidden_one() >> 1;
  return in_place_of(form, nan, cut->pattern | quiet);
}

/// Of the forms that Dst stores as such.
std::optional<Format> dst_format(NumberForm form) {
  if (!isa::number_format(form).dst) return std::nullopt;
  return static_cast<Format>(form);
}

/// Denormals of the forms that have an FP32's exponent become zeros, but for FP32 itself.
std::uint32_t flushed(NumberForm form, std::uint32_t pattern) {
  const isa::FloatLayout& layout = layout_of(form);
  const bool is_upper_part = layout.exponent_bits == layout_of(NumberForm::Fp32).exponent_bits;
  if (!is_upper_part || layout.keeps_denormals()) return pattern;
  const unsigned shift = dropped_bits(form);
  return semantics::flush_denormal<semantics::Lane>(pattern << shift) >> shift;
}

} // namespace

Expected<NumberForm> parse_form(std::string_view name) {
  std::string names;
  for (const NumberForm form : kNumberForms) {
    const std::string_view other_name = isa::number_format(form).pattern->other_name;
    if (form_name(form) == name || (!name.empty() && other_name == name)) return form;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", form_name(form));
  }
  return bad_input(fmt::format("{} is no format of patterns", in_quotes(name)),
                   "use one of " + names);
}

std::uint32_t form_to_fp32(NumberForm form, std::uint32_t pattern) {
  using semantics::Lane;
  switch (form) {
    case NumberForm::Fp32:
    case NumberForm::Tf32:
    case NumberForm::Bf16: return pattern << dropped_bits(form);
    case NumberForm::Fp16:
      return semantics::load_fp16<Lane>(from_value_bits(Format::FP16, pattern), 0);
    case NumberForm::Fp16a: return semantics::immediate_fp16(pattern);
    case NumberForm::Lut16: return semantics::decode_lut16<Lane>(pattern);
    case NumberForm::Lut8: break;
  }
  return semantics::decode_lut8<Lane>(pattern);
}

double form_value(NumberForm form, std::uint32_t pattern) {
  const std::uint32_t bits = form_to_fp32(form, pattern);
  // What SFPLUTFP32 makes of exponent 31 keeps its mantissa, which no multiply-add looks at.
  const bool is_lut = form == NumberForm::Lut16;
  return value_of_bits(Format::FP32, is_lut ? semantics::flush_denormal(bits) : bits);
}

FormFields form_fields(NumberForm form, std::uint32_t pattern) {
  const isa::FloatLayout& layout = layout_of(form);
  FormFields fields{.sign = (pattern & layout.sign_bit()) != 0 ? 1U : 0U,
                    .exponent = pattern >> layout.mantissa_bits & layout.top_exponent(),
                    .mantissa = pattern & layout.mantissa_mask(),
                    .exponent_bits = static_cast<unsigned>(layout.exponent_bits),
                    .mantissa_bits = static_cast<unsigned>(layout.mantissa_bits),
                    .power = std::nullopt};
  const std::uint32_t exponent = (form_to_fp32(form, pattern) & kExponentMask) >> 23;
  if (exponent != 0 && exponent != kTopExponent8)
    fields.power = static_cast<int>(exponent) - kFp32Bias;
  return fields;
}

FormPattern in_place_of(NumberForm form, double number, std::uint32_t pattern) {
  const double value = form_value(form, pattern);
  FormPattern result{pattern, value, std::nullopt};
  if (std::isfinite(value) && std::isfinite(number)) {
    result.ulps = (value - number) / unit_in_last_place(form, number);
  } else if (value == number || (std::isnan(value) && std::isnan(number))) {
    result.ulps = 0;
  }
  return result;
}

std::optional<FormPattern> cut_to_form(NumberForm form, double number) {
  if (std::isnan(number)) return cut_nan(form, number);
  const bool negative = std::signbit(number);
  const std::uint32_t count = magnitudes_up_to(form, std::abs(number), negative);
  if (count == 0) return std::nullopt;
  return in_place_of(form, number, flushed(form, nth_pattern(form, count - 1, negative)));
}

std::optional<FormPattern> round_to_form(NumberForm form, double number) {
  if (std::isnan(number)) return rounded_nan(form, number);
  if (const auto format = dst_format(form))
    return in_place_of(form, number, round_to_bits(*format, number));
  const bool negative = std::signbit(number);
  const double magnitude = std::abs(number);
  const std::uint32_t count = magnitudes_up_to(form, magnitude, negative);
  const std::uint32_t above = std::min(count, magnitude_count(form) - 1);
  const std::uint32_t below = count == 0 ? above : count - 1;
  const std::uint32_t low = nth_pattern(form, below, negative);
  const std::uint32_t high = nth_pattern(form, above, negative);
  const double down = magnitude - magnitude_of(form, low);
  const double up = magnitude_or_next(form, high) - magnitude;
  const bool to_low = down < up || (down == up && (low & 1) == 0);
  return in_place_of(form, number, flushed(form, to_low ? low : high));
}

// ------------------------------------------------------------------ SFPI's tool fp16c

namespace {

/// Half a unit of the 10 bits of mantissa that fp16a keeps.
constexpr std::uint32_t kHalfUnit = 1U << 12;

std::uint32_t tool_fp16a(std::uint32_t fp32) {
  // The sign is looked at behind the addition, which a NaN of all ones carries into.
  const std::uint32_t rounded = fp32 + kHalfUnit;
  const std::uint32_t sign = rounded >> 16 & 0x8000;
  const std::uint32_t exponent = semantics::exponent_field(rounded);
  const std::uint32_t mantissa = rounded & kMantissaMask;
  constexpr std::uint32_t kHighest = kRebias + kTopExponent5, kLowestDenormal = 102;
  if (exponent > kHighest) return sign | 0x7FFF;
  if (exponent > kRebias) return sign | (exponent - kRebias) << 10 | mantissa >> 13;
  if (exponent < kLowestDenormal) return sign;
  // Too much has been rounded by the half unit of a larger number: it is taken back, and that of
  // 2^-24 added.
  const std::uint32_t significand = (semantics::kHiddenOne | mantissa) - kHalfUnit;
  const std::uint32_t shift = 13 + (kRebias - exponent);
  return sign | ((significand >> shift) + 1) >> 1;
}

std::uint32_t tool_fp8(std::uint32_t fp32) {
  if ((fp32 & ~kSign) == 0) return kLut8Zero;
  const std::uint32_t exponent = semantics::exponent_field(fp32);
  if (exponent < kFp32Bias - 7 || exponent > kFp32Bias) return kToolBadFp8;
  return (fp32 >> 24 & 0x80) | (kFp32Bias - exponent) << 4 | (fp32 & kMantissaMask) >> 19;
}

} // namespace

ToolPatterns tool_patterns(std::uint32_t fp32) {
  return {.fp16a = tool_fp16a(fp32), .fp16b = fp32 >> 16, .fp8 = tool_fp8(fp32)};
}

ToolValues tool_values(std::uint32_t pattern) {
  constexpr std::uint32_t kQuietNaN = semantics::kInfinity | semantics::kHiddenOne >> 1;
  return {.fp16a = form_to_fp32(NumberForm::Fp16a, pattern),
          .fp16b = form_to_fp32(NumberForm::Bf16, pattern),
          .fp8 = pattern > kLut8Zero ? kQuietNaN : form_to_fp32(NumberForm::Lut8, pattern)};
}

} // namespace lanewise::formats
