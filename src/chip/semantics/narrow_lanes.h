// What an instruction of Grayskull does to a lane: 19 bits, of a float the sign, 8 bits of exponent
// and 10 of mantissa.
//
// A lane stands here as its 19 bits, sign-extended to 32. The rules are those of the public
// emulator of SFPI 5.0 (SFPI 4). It computes floats as binary32 on its host, rounding each sum to
// nearest even, and cuts the result; nothing public says what silicon rounds. A NaN that it would
// take from its host is the canonical one here.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/semantics/lut.h"

namespace lanewise::semantics::narrow {

using Lane = std::uint32_t;

inline constexpr Arch kChip = Arch::Grayskull;
inline constexpr unsigned kBits = kArch<kChip>.vector.lane_bits;
inline constexpr unsigned kMantissaBits = 10;
inline constexpr Lane kMantissa = (1U << kMantissaBits) - 1;
inline constexpr Lane kExponent = 0xFFU << kMantissaBits;
inline constexpr Lane kAllBits = (1U << kBits) - 1;
inline constexpr Lane kBias = 127;

/// The low 19 bits as a lane.
constexpr Lane wrap(Lane x) {
  return wrap_lane(kChip, x);
}

constexpr bool is_negative(Lane x) {
  return (x >> 31) != 0;
}

inline float to_float(Lane x) {
  return std::bit_cast<float>(float_of_lane(kChip, x));
}

/// Cut, not rounded.
inline Lane from_float(float value) {
  return lane_of_float(kChip, std::isnan(value) ? kCanonicalNan : std::bit_cast<Lane>(value));
}

/// What the modes of the MAD sub-unit add to a sum.
enum class Half : std::uint8_t { None, Plus, Minus };

inline float value_of(Half half) {
  switch (half) {
    case Half::None: return 0.0F;
    case Half::Plus: return 0.5F;
    case Half::Minus: break;
  }
  return -0.5F;
}

/// a * b + c, and then the half. Rounded to binary32 after each step: the product of two lanes fits
/// in one, but for what is smaller than its least number.
inline float sum_of_product(float a, float b, float c, Half half) {
  const auto product = static_cast<float>(static_cast<double>(a) * static_cast<double>(b));
  return product + c + value_of(half);
}

inline Lane multiply_add(Lane a, Lane b, Lane c, Half half) {
  return from_float(sum_of_product(to_float(a), to_float(b), to_float(c), half));
}

/// SFPLUT: slope and intercept are the bytes of the table that the exponent of x chooses.
inline Lane look_up(Lane first, Lane second, Lane third, Lane x, Half half, bool keeps_sign) {
  const Lane magnitude = float_of_lane(kChip, x) & ~(1U << 31);
  const Lane entry = choose_piece(magnitude, first, second, third);
  const auto coefficient = [](Lane byte) { return std::bit_cast<float>(decode_lut8(byte)); };
  const float result = sum_of_product(coefficient(entry >> 8), std::bit_cast<float>(magnitude),
                                      coefficient(entry), half);
  return from_float(keeps_sign ? std::copysign(result, to_float(x)) : result);
}

/// SFPLOADI FLOATB: bfloat16.
constexpr Lane load_bfloat16(std::uint32_t imm) {
  return wrap(imm << 3);
}
/// SFPLOADI FLOATA: every exponent as an ordinary one, as on the later chips.
constexpr Lane load_float16(std::uint32_t imm) {
  constexpr Lane kRebias = 127 - 15;
  return wrap((imm & 0x8000) << 3 | ((imm & 0x7C00) + (kRebias << kMantissaBits)) | (imm & 0x3FF));
}

/// The bits of a lane above its lowest three: what Dst keeps of a float.
constexpr std::uint16_t upper_16_bits(Lane x) {
  return static_cast<std::uint16_t>(x >> 3);
}

constexpr Lane negate(Lane x) {
  return wrap(x ^ (1U << (kBits - 1)));
}
constexpr Lane absolute_float(Lane x) {
  return x & (kAllBits >> 1);
}
constexpr Lane absolute_integer(Lane x) {
  return is_negative(x) ? wrap(0 - x) : x;
}

constexpr Lane exponent_field(Lane x) {
  return (x & kExponent) >> kMantissaBits;
}
constexpr Lane with_exponent(Lane x, Lane exponent) {
  return (x & ~kExponent) | (exponent & 0xFF) << kMantissaBits;
}
constexpr Lane with_mantissa(Lane x, Lane mantissa) {
  return (x & ~kMantissa) | (mantissa & kMantissa);
}
/// What SFPSETMAN takes from a register: a hardware bug, the nine bits from bit 9 on.
constexpr Lane misplaced_mantissa(Lane source) {
  return source >> 9 & 0x1FF;
}
constexpr Lane with_sign(Lane x, bool negative) {
  return is_negative(x) == negative ? x : negate(x);
}

/// Of all 19 bits.
constexpr Lane leading_zeros(Lane x) {
  return static_cast<Lane>(std::countl_zero(x & kAllBits)) - (32 - kBits);
}

/// Left by a positive amount, right by a negative one, modulo 32; zeros come in.
constexpr Lane shift(Lane x, Lane amount) {
  const Lane count = is_negative(amount) ? (0 - amount) & 31 : amount & 31;
  return wrap(is_negative(amount) ? (x & kAllBits) >> count : x << count);
}

} // namespace lanewise::semantics::narrow
