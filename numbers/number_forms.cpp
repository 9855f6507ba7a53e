#include "numbers/number_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "semantics/dst_format.h"
#include "semantics/float_fields.h"
#include "semantics/lut.h"

namespace lanewise::lab {

namespace {

using semantics::kExponentMask;
using semantics::kMantissaMask;
using semantics::kSign;

constexpr int kFp32Bias = 127;
constexpr int kFp16Bias = 15;
constexpr std::uint32_t kRebias = kFp32Bias - kFp16Bias;
constexpr std::uint32_t kTopExponent8 = 255, kTopExponent5 = 31;
constexpr std::uint32_t kLut8Zero = 0xFF;

struct FormRow {
  std::string_view name;
  unsigned exponent_bits, mantissa_bits;
  /// Of numbers with a hidden one.
  int lowest_power, highest_power;
  bool has_specials; ///< infinities and NaN

  constexpr unsigned width() const { return 1 + exponent_bits + mantissa_bits; }
};

constexpr FormRow row_of(NumberForm form) {
  switch (form) {
    case NumberForm::Fp32: return {"fp32", 8, 23, -126, 127, true};
    case NumberForm::Tf32: return {"tf32", 8, 10, -126, 127, true};
    case NumberForm::Bf16: return {"bf16", 8, 7, -126, 127, true};
    case NumberForm::Fp16: return {"fp16", 5, 10, -14, 16, false};
    case NumberForm::Fp16a: return {"fp16a", 5, 10, -15, 16, false};
    case NumberForm::Lut16: return {"lut16", 5, 10, -15, 15, false};
    case NumberForm::Lut8: break;
  }
  return {"fp8", 3, 4, -7, 0, false};
}

/// Bits of an FP32 behind those of a form that is its upper part.
constexpr unsigned dropped_bits(NumberForm form) {
  return 32 - row_of(form).width();
}

// Magnitudes in rising order: the n-th from 0. The finite ones; then, if the form has it, infinity.

std::uint32_t magnitude_count(NumberForm form) {
  switch (form) {
    case NumberForm::Fp32:
    case NumberForm::Tf32:
    case NumberForm::Bf16: return (semantics::kInfinity >> dropped_bits(form)) + 1;
    case NumberForm::Fp16: return 1 + (kTopExponent5 << 10);  // 0, then exponents 1..31
    case NumberForm::Fp16a: return (kTopExponent5 + 1) << 10; // exponents 0..31
    case NumberForm::Lut16: return 1 + (kTopExponent5 << 10); // 0, then exponents 0..30
    case NumberForm::Lut8: break;
  }
  return 1 + (1U << 7); // 0, then all of 7 bits; see nth_pattern() for the one that is lost
}

/// The pattern of the n-th magnitude with a sign.
std::uint32_t nth_pattern(NumberForm form, std::uint32_t n, bool negative) {
  const std::uint32_t sign = negative ? 1U << (form_width(form) - 1) : 0;
  switch (form) {
    case NumberForm::Fp32:
    case NumberForm::Tf32:
    case NumberForm::Bf16:
    case NumberForm::Fp16a: return sign | n;
    case NumberForm::Fp16: return sign | (n == 0 ? 0 : (1U << 10) + n - 1);
    case NumberForm::Lut16: return sign | (n == 0 ? kTopExponent5 << 10 : n - 1);
    case NumberForm::Lut8: break;
  }
  if (n == 0) return kLut8Zero;
  // The largest of exponent 7 would be FF with a minus, which is 0: the next one takes its place.
  const std::uint32_t rank = n - 1 + (negative && n > 15 && n < magnitude_count(form) - 1 ? 1 : 0);
  return sign | (7 - rank / 16) << 4 | rank % 16;
}

double magnitude_of(NumberForm form, std::uint32_t pattern) {
  return std::abs(form_value(form, pattern));
}

/// The same, but infinity is the number that would stand in its place.
double magnitude_or_next(NumberForm form, std::uint32_t pattern) {
  const double magnitude = magnitude_of(form, pattern);
  return std::isinf(magnitude) ? std::ldexp(1.0, row_of(form).highest_power + 1) : magnitude;
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
  const FormRow row = row_of(form);
  const int power = number == 0 ? row.lowest_power : std::ilogb(number);
  return std::ldexp(1.0, std::clamp(power, row.lowest_power, row.highest_power) -
                             static_cast<int>(row.mantissa_bits));
}

/// The upper part of a NaN, which has lost all of its mantissa if that was small.
std::optional<FormPattern> cut_nan(NumberForm form, double nan) {
  if (!row_of(form).has_specials) return std::nullopt;
  return in_place_of(form, nan, round_to_bits(Format::FP32, nan) >> dropped_bits(form));
}

/// The same, but still a NaN.
std::optional<FormPattern> rounded_nan(NumberForm form, double nan) {
  const auto cut = cut_nan(form, nan);
  if (!cut || std::isnan(cut->value)) return cut;
  const std::uint32_t quiet = semantics::kHiddenOne >> 1 >> dropped_bits(form);
  return in_place_of(form, nan, cut->pattern | quiet);
}

/// Of the forms that Dst stores as such.
std::optional<Format> dst_format(NumberForm form) {
  switch (form) {
    case NumberForm::Fp32: return Format::FP32;
    case NumberForm::Bf16: return Format::BF16;
    case NumberForm::Fp16: return Format::FP16;
    case NumberForm::Tf32:
    case NumberForm::Fp16a:
    case NumberForm::Lut16:
    case NumberForm::Lut8: return std::nullopt;
  }
  return std::nullopt;
}

/// Denormals of the forms that have an FP32's exponent become zeros, but for FP32 itself.
std::uint32_t flushed(NumberForm form, std::uint32_t pattern) {
  if (form != NumberForm::Tf32 && form != NumberForm::Bf16) return pattern;
  const unsigned shift = dropped_bits(form);
  return semantics::flush_denormal<semantics::Lane>(pattern << shift) >> shift;
}

} // namespace

std::string_view form_name(NumberForm form) {
  return row_of(form).name;
}

Expected<NumberForm> parse_form(std::string_view name) {
  if (name == "fp16b") return NumberForm::Bf16;
  if (name == "lut8") return NumberForm::Lut8;
  std::string names;
  for (const NumberForm form : kNumberForms) {
    if (form_name(form) == name) return form;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", form_name(form));
  }
  return bad_input(fmt::format("'{}' is no format of patterns", name), "use one of " + names);
}

unsigned form_width(NumberForm form) {
  return row_of(form).width();
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
  const FormRow row = row_of(form);
  const unsigned sign_bit = row.exponent_bits + row.mantissa_bits;
  FormFields fields{.sign = pattern >> sign_bit & 1,
                    .exponent = pattern >> row.mantissa_bits & ((1U << row.exponent_bits) - 1),
                    .mantissa = pattern & ((1U << row.mantissa_bits) - 1),
                    .exponent_bits = row.exponent_bits,
                    .mantissa_bits = row.mantissa_bits,
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

} // namespace lanewise::lab
