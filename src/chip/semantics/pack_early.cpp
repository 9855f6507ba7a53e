// The early conversion (core.md 14.5).
#include <algorithm>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_steps.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

namespace {

constexpr unsigned kBitsBehindTf32 = 13;

std::uint32_t nan_to_infinity(std::uint32_t fp32) {
  return (fp32 & ~kSign) > kInfinity ? (fp32 & kSign) | kInfinity : fp32;
}

// ---------------------------------------------------------------- Rounding, ties away from zero

/// Without the bits behind a TF32.
std::uint32_t rounded_tf32(std::uint32_t fp32) {
  constexpr std::uint32_t kHalf = 1U << (kBitsBehindTf32 - 1), kLeastNormal = 0x400;
  const std::uint32_t rounded = (nan_to_infinity(fp32) + kHalf) >> kBitsBehindTf32;
  return zero_below(rounded, ~kSign >> kBitsBehindTf32, kLeastNormal);
}

std::uint32_t rounded_bf16(std::uint32_t fp32) {
  return zero_below((nan_to_infinity(fp32) + 0x8000) >> 16, kMagnitude16, kLeastNormalBf16);
}

/// BF16 with 6 bits of mantissa. Of an FP32, the upper half alone counts, where a denormal may
/// become a number; in 16 bits it is 0 before.
std::uint32_t rounded_e8m6(const Packing& how, std::uint32_t fp32) {
  const std::uint32_t bf16 = how.reads_32_bits ? nan_to_infinity(fp32) >> 16 : rounded_bf16(fp32);
  return zero_below((bf16 + 1) & ~1U, kMagnitude16, kLeastNormalBf16);
}

/// FP16 with 6 bits of mantissa.
std::uint32_t rounded_e5m6(std::uint32_t fp16) {
  constexpr std::uint32_t kLargest = 0x7FF0, kLastRoundedDown = kLargest + 7;
  const bool is_large = (fp16 & kMagnitude16) > kLastRoundedDown;
  const std::uint32_t rounded = is_large ? (fp16 & kSign16) | kLargest : (fp16 + 8) & ~15U;
  return zero_below(rounded, kMagnitude16, kLeastNormalFp16);
}

std::uint32_t narrowed_bf16(std::uint32_t bf16) {
  return saturated_fp16(bf16 & kSign16, fp16_exponent(bf16 >> 7 & 0xFF), (bf16 & 0x7F) << 3);
}

// ---------------------------------------------------------------- INT8

std::uint32_t scaled_magnitude(std::uint32_t magnitude, unsigned shift) {
  return shift == 0 ? magnitude : (magnitude + (1U << (shift - 1))) >> shift;
}

/// The sign stays, of a zero too.
std::uint32_t scaled_int8(const Packing& how, std::uint32_t value) {
  constexpr unsigned kShiftMask = 31; // what is above it belongs to no shift amount
  const std::uint32_t magnitude = scaled_magnitude(value & ~kSign, how.shift & kShiftMask);
  if (how.is_unsigned) return (value & kSign) != 0 ? 0 : std::min<std::uint32_t>(magnitude, 0xFF);
  return (value >> 24 & 0x80) | std::min<std::uint32_t>(magnitude, 0x7F);
}

std::uint32_t cut_int8(const Packing& how, std::uint32_t value) {
  return how.is_unsigned ? value & 0xFF : (value >> 24 & 0x80) | (value & 0x7F);
}

// ---------------------------------------------------------------- Steps

/// What Dst has, as FP32 or INT32: of 16 bits, which are then a BF16, the upper half.
std::uint32_t wide_number(const Packing& how, std::uint32_t stored) {
  return how.reads_32_bits ? unshuffle_32(stored) : unshuffle_16(stored) << 16;
}

std::uint32_t converted_early(const Packing& how, std::uint32_t stored) {
  switch (early_step(how)) {
    case EarlyStep::None:
    case EarlyStep::Copy32: return unshuffle_32(stored);
    case EarlyStep::WidenBf16: return wide_number(how, stored);
    case EarlyStep::RoundTf32: return rounded_tf32(wide_number(how, stored)) << kBitsBehindTf32;
    case EarlyStep::RoundTf32Low: return rounded_tf32(unshuffle_32(stored));
    case EarlyStep::RoundBf16: return rounded_bf16(wide_number(how, stored));
    case EarlyStep::CutBf16: return wide_number(how, stored) >> 16;
    case EarlyStep::RoundE8M6: return rounded_e8m6(how, wide_number(how, stored));
    case EarlyStep::FlushFp16:
      return zero_below(unshuffle_fp16(stored), kMagnitude16, kLeastNormalFp16);
    case EarlyStep::CopyFp16: return unshuffle_fp16(stored);
    case EarlyStep::NarrowBf16: return narrowed_bf16(unshuffle_16(stored));
    case EarlyStep::CutE5M7: return unshuffle_fp16(stored) & ~7U;
    case EarlyStep::RoundE5M6: return rounded_e5m6(unshuffle_fp16(stored));
    case EarlyStep::CutFp8: return unshuffle_fp16(stored) & ~0xFFU;
    case EarlyStep::Copy16: return stored;
    case EarlyStep::UpperHalf: return stored >> 16;
    case EarlyStep::ScaleInt8: return scaled_int8(how, unshuffle_32(stored));
    case EarlyStep::CutInt8: return cut_int8(how, unshuffle_32(stored));
    case EarlyStep::SignOfInt8: return stored >> 8 & 0x80;
  }
  return stored;
}

} // namespace

std::uint32_t pack_early(const Packing& how, std::uint32_t stored) {
  return apply_relu(how, converted_early(how, stored));
}

} // namespace lanewise::semantics
