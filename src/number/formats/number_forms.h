// Small floating-point formats of the chip as bit patterns: what is in the fields, what number the
// hardware makes of them, and which pattern lies nearest to a number. And the same in the way of
// SFPI's tool fp16c, which does not always agree with the hardware.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fault.h"
#include "number/formats/format.h"

namespace lanewise::formats {

/// How the bits of a number can be read: the rows of chip/isa/number_formats.def that have
/// patterns. These stand in the low bits, sign first.
enum class NumberForm : std::uint8_t {
  Fp32 = isa::row_number(isa::NumberFormatId::Fp32),
  Tf32 =
      isa::row_number(isa::NumberFormatId::Tf32), ///< 19 bits, the upper ones of an FP32 (MU 1.2)
  Bf16 = isa::row_number(isa::NumberFormatId::Bf16),   ///< SFPI's fp16b, SFPLOADI's FLOATB
  Fp16 = isa::row_number(isa::NumberFormatId::Fp16),   ///< as SFPLOAD reads it from Dst (VU 3.4)
  Fp16a = isa::row_number(isa::NumberFormatId::Fp16a), ///< as SFPLOADI FLOATA reads it: without a 0
  Lut16 = isa::row_number(isa::NumberFormatId::Lut16), ///< of SFPLUTFP32: exponent 31 is 0 (VU 3.6)
  Lut8 = isa::row_number(isa::NumberFormatId::Lut8)    ///< of SFPLUT, SFPI's fp8: FF is 0 (VU 3.6)
};

inline constexpr auto kNumberForms = isa::rows_where<NumberForm>(
    [](const isa::NumberFormat& row) { return row.pattern.has_value(); });

/// "fp32", "tf32", "bf16", "fp16", "fp16a", "lut16", "fp8": the name on the command line.
constexpr std::string_view form_name(NumberForm form) {
  return isa::number_format(form).name;
}

/// The form of such a name, or of fp16b (bf16) and lut8 (fp8). Error: BadInput that lists the
/// names.
Expected<NumberForm> parse_form(std::string_view name);

/// Bits of a pattern: 32, 19, 16 or 8.
constexpr unsigned form_width(NumberForm form) {
  return static_cast<unsigned>(isa::number_format(form).width());
}

/// A pattern, field by field.
struct FormFields {
  std::uint32_t sign = 0;
  std::uint32_t exponent = 0; ///< as it stands
  std::uint32_t mantissa = 0;
  unsigned exponent_bits = 0, mantissa_bits = 0;
  /// The power of 2 that the field means for a number with a hidden one: "without bias". Nothing
  /// where the hardware reads the pattern otherwise: zeros, denormals, infinities, NaN.
  std::optional<int> power;
};
FormFields form_fields(NumberForm form, std::uint32_t pattern);

/// The FP32 bits that the hardware makes of a pattern, as the functions of chip/semantics/ do.
std::uint32_t form_to_fp32(NumberForm form, std::uint32_t pattern);

/// The number of a pattern: of those bits, so that a denormal FP16 is mantissa * 2^-136.
double form_value(NumberForm form, std::uint32_t pattern);

/// A pattern in place of a number.
struct FormPattern {
  std::uint32_t pattern = 0;
  double value = 0; ///< form_value()
  /// value - number in units of the last place that the form has at the number. Nothing where one
  /// of them is infinite or NaN and the other is not the same.
  std::optional<double> ulps;
};

/// A pattern, whatever it is, in place of a number.
FormPattern in_place_of(NumberForm form, double number, std::uint32_t pattern);

/// The pattern with the largest magnitude that is not above the number's: the rest is cut off.
/// Beyond the range that is the largest one. BF16, TF32 and FP16 have no denormals in this: they
/// give a zero with the sign, as SFPSTORE does. Nothing if the form has no such number: Fp16a below
/// 2^-15, and NaN where there is none.
std::optional<FormPattern> cut_to_form(NumberForm form, double number);

/// The pattern nearest to the number, ties to the even pattern; infinity beyond the range of forms
/// that have one, else the largest magnitude. Denormals become zeros in all forms but FP32. Nothing
/// for NaN where there is none. Same as round_to_bits() (number/formats/format.h) in the formats of
/// Dst.
std::optional<FormPattern> round_to_form(NumberForm form, double number);

// ------------------------------------------------------------------ SFPI's tool fp16c

/// Its patterns of a number, which it takes as an FP32.
struct ToolPatterns {
  std::uint32_t fp16a = 0; ///< rounded half up in magnitude; 7FFF above the range; with denormals
  std::uint32_t fp16b = 0; ///< the upper half: cut
  std::uint32_t fp8 = 0;   ///< mantissa cut; FF for zeros; kToolBadFp8 outside 2^-7 <= |x| < 2
};
inline constexpr std::uint32_t kToolBadFp8 = 0xBAD;
ToolPatterns tool_patterns(std::uint32_t fp32);

/// Its numbers, as FP32 bits, of an integer that it takes for a pattern of 16 bits. In fp16a every
/// exponent is an ordinary one; as fp8, integers above FF are NaN.
struct ToolValues {
  std::uint32_t fp16a = 0, fp16b = 0, fp8 = 0;
};
ToolValues tool_values(std::uint32_t pattern);

} // namespace lanewise::formats
