// The late conversion, and blocks (core.md 14.8, 14.9).
#include <algorithm>

#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_steps.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

/// FP16 without the bits behind E5M7, which no block counts.
constexpr std::uint32_t kE5M7 = 0xFFF8;

std::uint32_t bf16_of_fp16(std::uint32_t fp16) {
  const std::uint32_t exponent = fp16 >> 10 & 31;
  return exponent == 0 ? 0 : (fp16 & kSign16) | (exponent + kFp16Rebias) << 7 | (fp16 & 0x3FF) >> 3;
}

/// FP8 with 4 bits of exponent.
std::uint32_t long_fp8_of_fp16(std::uint32_t fp16) {
  constexpr std::uint32_t kFirstTooLarge = 16 + kFp8Rebias;
  const std::uint32_t sign = fp16 >> 8 & 0x80, exponent = fp16 >> 10 & 31;
  if (exponent <= kFp8Rebias) return sign;
  if (exponent >= kFirstTooLarge) return sign | 0x7F;
  return sign | (exponent - kFp8Rebias) << 3 | (fp16 & 0x3FF) >> 7;
}

/// To a format with 5 bits of exponent, or, for its blocks, to E5M7.
std::uint32_t narrowed(const Packing& how, std::uint32_t fp16) {
  switch (how.out) {
    case DataFormat::Fp8: return how.fp8_has_long_mantissa ? long_fp8_of_fp16(fp16) : fp16 >> 8;
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp2a: return fp16 & kE5M7;
    case DataFormat::Fp16:
    case DataFormat::Fp32:
    case DataFormat::Tf32:
    case DataFormat::Bf16:
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2:
    case DataFormat::Int32:
    case DataFormat::Int16:
    case DataFormat::Int8: break;
  }
  return fp16;
}

bool goes_to_exponent_5(const Packing& how) {
  return isa::format_of_code(how.out)->operand->exponent_bits == 5;
}

bool keeps_32_bits(const Packing& how) {
  return isa::format_of_code(how.out)->l1->bits == 32;
}

/// FP32, TF32 and INT32. As BF16, for itself or for a block, it has no denormals.
std::uint32_t late_of_32_bits(const Packing& how, std::uint32_t value) {
  if (keeps_32_bits(how)) return value;
  if (goes_to_exponent_5(how)) return narrowed(how, fp16_of_fp32(value));
  return zero_below(value >> 16, kMagnitude16, kLeastNormalBf16);
}

/// BF16 and E8M6 keep their denormals where the exponent stays as wide.
std::uint32_t late_of_bf16(const Packing& how, std::uint32_t bf16) {
  if (keeps_32_bits(how)) return bf16 << 16;
  return goes_to_exponent_5(how) ? narrowed(how, fp16_of_fp32(bf16 << 16)) : bf16;
}

/// How many bits of mantissa a type has, among those with 5 bits of exponent.
unsigned mantissa_bits_of_type(DataFormat format) {
  if (format == DataFormat::Fp16) return 10;
  return format == DataFormat::Fp8 ? 2 : 7;
}

/// FP16, E5M7, E5M6 and FP8, whose denormals become zeros where the mantissa gets narrower.
std::uint32_t late_of_fp16(const Packing& how, std::uint32_t fp16) {
  if (keeps_32_bits(how)) return fp32_of_fp16(fp16);
  if (!goes_to_exponent_5(how)) return bf16_of_fp16(fp16);
  const bool is_denormal = (fp16 & kMagnitude16) < kLeastNormalFp16;
  const bool is_cut = mantissa_bits_of_type(how.out) < mantissa_bits_of_type(in_format(how));
  return narrowed(how, is_denormal && is_cut ? fp16 & kSign16 : fp16);
}

/// TF32 in 19 bits.
std::uint32_t fp16_of_low_tf32(std::uint32_t tf32) {
  return saturated_fp16(tf32 >> 3 & kSign16, fp16_exponent(tf32 >> 10 & 0xFF), tf32 & 0x3FF);
}

} // namespace

std::uint32_t pack_late(const Packing& how, std::uint32_t value) {
  const EarlyStep step = early_step(how);
  switch (step) {
    case EarlyStep::None:
    case EarlyStep::Copy32:
    case EarlyStep::WidenBf16:
    case EarlyStep::RoundTf32: return late_of_32_bits(how, value);
    case EarlyStep::RoundTf32Low: return late_of_fp16(how, fp16_of_low_tf32(value));
    case EarlyStep::RoundBf16:
    case EarlyStep::CutBf16:
    case EarlyStep::RoundE8M6: return late_of_bf16(how, value);
    case EarlyStep::FlushFp16:
    case EarlyStep::CopyFp16:
    case EarlyStep::NarrowBf16:
    case EarlyStep::CutE5M7:
    case EarlyStep::RoundE5M6:
    case EarlyStep::CutFp8: return late_of_fp16(how, value);
    case EarlyStep::Copy16:
    case EarlyStep::UpperHalf:
    case EarlyStep::ScaleInt8:
    case EarlyStep::CutInt8:
    case EarlyStep::SignOfInt8: break;
  }
  return value;
}

PackedBlock pack_block(DataFormat out, const std::array<std::uint32_t, 16>& values) {
  const isa::L1Form& form = *isa::format_of_code(out)->l1;
  const unsigned mantissa_bits = 15 - form.shared_exponent_bits;
  const auto exponent_of = [&](std::uint32_t value) {
    return value >> mantissa_bits & isa::low_ones(form.shared_exponent_bits);
  };
  std::uint32_t top = 0;
  for (const std::uint32_t value : values) top = std::max(top, exponent_of(value));
  PackedBlock block{.exponent = static_cast<std::uint8_t>(top)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t exponent = exponent_of(values[i]), down = top - exponent;
    const std::uint32_t mantissa = values[i] >> (mantissa_bits - 7) & 0x7F;
    const std::uint32_t whole = mantissa | (exponent == 0 ? 0U : 0x80U);
    const std::uint32_t rounded = down >= 8 ? 0 : (whole + (1U << down)) >> (down + 1);
    const std::uint32_t magnitude = std::min(rounded, 0x7FU) >> (8 - form.bits);
    const std::uint32_t sign = magnitude == 0 ? 0 : (values[i] >> 15 & 1) << (form.bits - 1);
    block.data[i] = static_cast<std::uint8_t>(sign | magnitude);
  }
  return block;
}

} // namespace lanewise::semantics
