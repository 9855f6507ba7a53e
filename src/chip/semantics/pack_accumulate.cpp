// Pack_L1_Acc: what is packed is added to what is in L1 (core.md 14.10).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

std::uint32_t accumulate_fp32(std::uint32_t old, std::uint32_t packed) {
  const auto number = [](std::uint32_t bits) { return std::bit_cast<float>(flush_denormal(bits)); };
  const float sum = number(old) + number(packed);
  constexpr std::uint32_t kQuietNan = 0x7FC00000;
  return std::isnan(sum) ? kQuietNan : flush_denormal(std::bit_cast<std::uint32_t>(sum));
}

/// A BF16 as a number. A NaN is none: in L1 it counts as the largest double, in what is packed its
/// exponent is an ordinary one.
double number_of_bf16(std::uint32_t bf16, bool is_old) {
  const std::uint32_t magnitude = bf16 & kMagnitude16;
  const double sign = (bf16 & kSign16) != 0 ? -1 : 1;
  if (magnitude < kLeastNormalBf16) return sign * 0.0;
  if (magnitude <= kInfinityBf16) return std::bit_cast<float>(bf16 << 16);
  constexpr double kHiddenOneOfMantissa = 128;
  return sign * (is_old ? std::numeric_limits<double>::max()
                        : std::ldexp(1 + (magnitude & 0x7F) / kHiddenOneOfMantissa, 128));
}

/// A double rounded to 8 bits, to nearest even; outside of BF16's normal numbers zero or infinity.
std::uint32_t bf16_of_double(double number) {
  constexpr int kDropped = 52 - 7;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const auto sign = static_cast<std::uint32_t>(bits >> 63) << 15;
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023 + 127;
  if (exponent <= 0) return sign;
  if (exponent >= 255) return sign | kInfinityBf16;
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t odd = mantissa >> kDropped & 1;
  const std::uint64_t half_less_one = (std::uint64_t{1} << (kDropped - 1)) - 1;
  const auto rounded = static_cast<std::uint32_t>((mantissa + half_less_one + odd) >> kDropped);
  return sign | (static_cast<std::uint32_t>(exponent << 7) + rounded);
}

std::uint32_t accumulate_bf16(std::uint32_t old, std::uint32_t packed) {
  constexpr std::uint32_t kQuietNan = 0x7FC0;
  const bool are_infinities =
      (old & kMagnitude16) == kInfinityBf16 && (packed & kMagnitude16) == kInfinityBf16;
  if (are_infinities && old != packed) return kQuietNan;
  return bf16_of_double(number_of_bf16(old, true) + number_of_bf16(packed, false));
}

/// What is too small becomes the largest number, as does what is too large.
std::uint32_t accumulate_fp16(std::uint32_t old, std::uint32_t packed) {
  const auto number = [](std::uint32_t fp16) {
    const bool is_zero = (fp16 & kMagnitude16) < kLeastNormalFp16;
    return std::bit_cast<float>(is_zero ? (fp16 & kSign16) << 16 : fp32_of_fp16(fp16));
  };
  const auto sum = std::bit_cast<std::uint32_t>(number(old) + number(packed));
  const std::uint32_t sign = sum >> 16 & kSign16;
  constexpr std::uint32_t kFirstThatSaturates = 30;
  if ((sum & ~kSign) == 0)
    return sign | ((old >> 10 & 31) >= kFirstThatSaturates ? kMagnitude16 : 0U);
  const auto exponent = static_cast<std::int32_t>(fp16_exponent(exponent_field(sum)));
  if (exponent < 0) return sign | kMagnitude16;
  if (exponent == 0) return sign;
  const std::uint32_t mantissa = sum & kMantissaMask;
  const std::uint32_t rounded = (mantissa + 0xFFF + (mantissa >> 13 & 1)) >> 13;
  const std::uint32_t magnitude = (static_cast<std::uint32_t>(exponent) << 10) + rounded;
  return sign | std::min(magnitude, kMagnitude16);
}

} // namespace

bool can_accumulate(DataFormat out) {
  return out == DataFormat::Fp32 || out == DataFormat::Fp16 || out == DataFormat::Bf16;
}

std::uint32_t accumulate_in_l1(DataFormat out, std::uint32_t old, std::uint32_t packed) {
  if (out == DataFormat::Fp32) return accumulate_fp32(old, packed);
  return out == DataFormat::Fp16 ? accumulate_fp16(old, packed) : accumulate_bf16(old, packed);
}

} // namespace lanewise::semantics
