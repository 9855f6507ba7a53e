// round_to_bits() of number/formats/format.h once more, for numbers (not NaN), without branches on
// the data.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "chip/semantics/lanes.h"
#include "number/formats/format.h"

namespace lanewise::references {

/// BF16 and FP16: a narrower exponent, fewer bits of mantissa, denormal results become zeros.
template <isa::FloatLayout kLayout>
LANEWISE_INLINE std::uint32_t round_to_narrow(double value) {
  static_assert(kLayout.denormals == isa::Denormals::Flushed);
  constexpr int kMantissaBits = kLayout.mantissa_bits, kDropped = 52 - kMantissaBits;
  constexpr int kBias = kLayout.bias, kDoubleBias = 1023;
  constexpr std::uint64_t kHiddenOne = kLayout.hidden_one();
  constexpr std::uint64_t kCeiling =
      kLayout.has_specials() ? kLayout.infinity() : kLayout.magnitude_mask();
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDropped - 1);
  // Numbers are in the order of their patterns.
  constexpr std::uint64_t kSmallestNormal = std::uint64_t{kDoubleBias - kBias + 1} << 52;
  // The middle between the largest denormal, (2^mantissa - 1) / 2^mantissa of the smallest normal
  // number, and that; it goes to the normal number, whose mantissa is even.
  constexpr std::uint64_t kToNormal = kSmallestNormal - 2 * kHalf;
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t size = pattern & ~(std::uint64_t{1} << 63);
  const std::uint64_t even = (size >> kDropped) & 1;
  const std::uint64_t rounded = (size + kHalf - 1 + even) >> kDropped;
  // The exponent field counts from the double's bias.
  const std::uint64_t offset = (std::uint64_t{kDoubleBias - kBias} << kMantissaBits);
  const std::uint64_t magnitude = std::max(rounded, offset + kHiddenOne) - offset;
  const std::uint64_t kept = size >= kToNormal ? std::min(magnitude, kCeiling) : 0;
  const auto sign = static_cast<std::uint32_t>(pattern >> 63) << (kLayout.width() - 1);
  return sign | static_cast<std::uint32_t>(kept);
}

template <formats::Format format>
LANEWISE_INLINE std::uint32_t round_number(double value) {
  if constexpr (format == formats::Format::FP32) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  } else if constexpr (!formats::is_integer(format)) {
    return round_to_narrow<*isa::number_format(format).real>(value);
  } else {
    return formats::round_to_bits(format, value);
  }
}

} // namespace lanewise::references
