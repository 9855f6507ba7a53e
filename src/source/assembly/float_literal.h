// Decimal numbers in the 16-bit floating-point formats that instructions carry as immediates.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fault.h"

namespace lanewise::assembly {

/// A 16-bit format: sign, exponent, mantissa with a hidden one.
struct FloatFormat {
  std::string_view name;
  unsigned mantissa_bits;
  int min_exponent; ///< unbiased, of the smallest number with a hidden one
  int max_exponent;
  int bias;
  bool has_zero;
};

/// The upper half of an FP32. Denormals are left out: the Vector Unit takes them as zero in
/// arithmetic (VU 3.1), so a literal that becomes one is a mistake.
inline constexpr FloatFormat kBf16{"bf16", 7, -126, 127, 127, true};

/// FP16 as SFPLOADI FLOATA expands it: exponent + 112 always, so that exponent 0 is an ordinary
/// number with a hidden one and not zero, and exponent 31 an ordinary number and not infinity
/// (VU 3.4).
inline constexpr FloatFormat kFp16{"fp16", 10, -15, 16, 15, false};

/// A number `digits[.digits][e[sign]digits]` in a format, rounded once, to nearest even.
/// Error: BadInput without a place, if it is no such number or is out of the format's range.
Expected<std::uint16_t> encode_float(const FloatFormat& format, std::string_view text,
                                     bool negative);

} // namespace lanewise::assembly
