#include "semantics/pack_values.h"

#include <algorithm>
#include <initializer_list>

#include "semantics/dst_format.h"
#include "semantics/half_floats.h"

namespace lanewise::semantics {

namespace {

using isa::DataFormat;

// A datum between early and late conversion that was read from 32 bits as FP16: TF32, 19 bits.
constexpr std::uint32_t kSign19 = 0x40000;
constexpr std::uint32_t kMagnitude19 = 0x3FFFF;
constexpr std::uint32_t kLeastNormal19 = 0x400;

std::uint32_t nan_to_infinity(std::uint32_t fp32) {
  return (fp32 & ~kSign) > kInfinity ? (fp32 & kSign) | kInfinity : fp32;
}

/// BF16 with 6 bits of mantissa: ties away from zero.
std::uint32_t round_to_6_bits(std::uint32_t bf16) {
  return (bf16 + 1) & ~1U;
}

// ---------------------------------------------------------------- Early conversion

std::uint32_t saturated_int8(std::uint32_t sign_magnitude, bool is_unsigned) {
  if (is_unsigned)
    return (sign_magnitude & kSign) != 0 ? 0 : std::min<std::uint32_t>(sign_magnitude, 0xFF);
  return (sign_magnitude >> 24 & 0x80) | std::min<std::uint32_t>(sign_magnitude & ~kSign, 0x7F);
}

std::uint32_t early_of_32_bits(const Packing& how, std::uint32_t stored) {
  const std::uint32_t value = unshuffle_32(stored);
  const std::uint32_t number = nan_to_infinity(value);
  switch (how.intermediate) {
    case DataFormat::Int16: return stored >> 16;
    case DataFormat::Int8: return saturated_int8(value, how.is_unsigned);
    case DataFormat::Bf16:
      return zero_below((number + 0x8000) >> 16, kMagnitude16, kLeastNormalBf16);
    case DataFormat::Bfp8:
      return zero_below(round_to_6_bits(number >> 16), kMagnitude16, kLeastNormalBf16);
    case DataFormat::Fp16: return zero_below((number + 0x1000) >> 13, kMagnitude19, kLeastNormal19);
    case DataFormat::Fp32:
    case DataFormat::Int32:
    case DataFormat::Tf32:
    case DataFormat::Bfp8a:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return value;
}

std::uint32_t early_bf16(std::uint32_t stored) {
  const std::uint32_t value = unshuffle_16(stored);
  if ((value & kMagnitude16) > kInfinityBf16) return (value & kSign16) | kInfinityBf16;
  return zero_below(value, kMagnitude16, kLeastNormalBf16);
}

/// BF16 in Dst that becomes FP16.
std::uint32_t early_fp16_of_bf16(std::uint32_t stored) {
  const std::uint32_t value = unshuffle_16(stored);
  return saturated_fp16(value & kSign16, fp16_exponent(value >> 7 & 0xFF), (value & 0x7F) << 3);
}

/// FP16 with 6 bits of mantissa.
std::uint32_t early_bfp8a(std::uint32_t stored) {
  constexpr std::uint32_t kLargest = 0x7FF0, kLastRoundedDown = kLargest + 7;
  const std::uint32_t value = unshuffle_fp16(stored);
  const bool is_large = (value & kMagnitude16) > kLastRoundedDown;
  const std::uint32_t rounded = is_large ? (value & kSign16) | kLargest : (value + 8) & ~15U;
  return zero_below(rounded, kMagnitude16, kLeastNormalFp16);
}

std::uint32_t early_of_16_bits(const Packing& how, std::uint32_t stored) {
  switch (how.intermediate) {
    case DataFormat::Fp16:
      if (how.rounds_to_10_bits && arch_params(how.arch).packs_bf16_as_fp16)
        return early_fp16_of_bf16(stored);
      return zero_below(unshuffle_fp16(stored), kMagnitude16, kLeastNormalFp16);
    case DataFormat::Bfp8a: return early_bfp8a(stored);
    case DataFormat::Bf16: return early_bf16(stored);
    case DataFormat::Bfp8: return round_to_6_bits(early_bf16(stored));
    case DataFormat::Int16:
    case DataFormat::Fp32:
    case DataFormat::Int32:
    case DataFormat::Int8:
    case DataFormat::Tf32:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return stored;
}

// ---------------------------------------------------------------- ReLU

/// How ReLU compares: magnitudes as integers, with the threshold as wide as the datum.
struct Comparison {
  std::uint32_t sign = 0, threshold = 0;
  unsigned ignored_bits = 0; ///< of both, in a clamp
};

Comparison comparison(const Packing& how) {
  const std::uint32_t threshold = how.threshold;
  switch (how.intermediate) {
    case DataFormat::Fp16:
      if (how.reads_32_bits) return {.sign = kSign19, .threshold = threshold << 3};
      return {.sign = kSign16, .threshold = threshold};
    case DataFormat::Bfp8a:
    case DataFormat::Bf16:
    case DataFormat::Bfp8: return {.sign = kSign16, .threshold = threshold};
    case DataFormat::Fp32:
    case DataFormat::Int32:
    case DataFormat::Int16:
    case DataFormat::Int8:
    case DataFormat::Tf32:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return {.sign = kSign, .threshold = threshold << 16, .ignored_bits = 13};
}

std::uint32_t apply_relu(const Packing& how, std::uint32_t value) {
  if (how.relu == Relu::None) return value;
  const Comparison compared = comparison(how);
  if ((value & compared.sign) != 0) return 0;
  switch (how.relu) {
    case Relu::None:
    case Relu::ZeroIfNegative: return value;
    case Relu::ZeroIfNotAbove: return value <= compared.threshold ? 0 : value;
    case Relu::Clamp: break;
  }
  const bool is_above =
      value >> compared.ignored_bits > compared.threshold >> compared.ignored_bits;
  return is_above ? compared.threshold : value;
}

// ---------------------------------------------------------------- Late conversion

std::uint32_t bf16_of_fp16(std::uint32_t fp16) {
  const std::uint32_t exponent = fp16 >> 10 & 31;
  return exponent == 0 ? 0 : (fp16 & kSign16) | (exponent + kFp16Rebias) << 7 | (fp16 & 0x3FF) >> 3;
}

std::uint32_t fp8_of_fp16(std::uint32_t fp16) {
  constexpr std::uint32_t kFirstTooLarge = 16 + kFp8Rebias;
  const std::uint32_t sign = fp16 >> 8 & 0x80, exponent = fp16 >> 10 & 31;
  if (exponent <= kFp8Rebias) return sign;
  if (exponent >= kFirstTooLarge) return sign | 0x7F;
  return sign | (exponent - kFp8Rebias) << 3 | (fp16 & 0x3FF) >> 7;
}

std::uint32_t late_of_fp32(const Packing& how, std::uint32_t fp32) {
  if (isa::format_of_code(how.out)->l1->is_block())
    return zero_below(fp32 >> 16, kMagnitude16, kLeastNormalBf16);
  return how.out == DataFormat::Fp16 ? fp16_of_fp32(fp32) : fp32;
}

std::uint32_t late_of_fp16(const Packing& how, std::uint32_t value) {
  const std::uint32_t fp16 =
      how.reads_32_bits
          ? saturated_fp16(value >> 3 & kSign16, fp16_exponent(value >> 10 & 0xFF), value & 0x3FF)
          : value;
  if (how.out == DataFormat::Fp32) return fp32_of_fp16(fp16);
  if (how.out == DataFormat::Bf16) return bf16_of_fp16(fp16);
  return how.out == DataFormat::Fp8 ? fp8_of_fp16(fp16) : fp16;
}

// ---------------------------------------------------------------- What is known

constexpr std::uint32_t set_of(std::initializer_list<DataFormat> formats) {
  std::uint32_t set = 0;
  for (const DataFormat format : formats) set |= 1U << static_cast<unsigned>(format);
  return set;
}

/// What an intermediate format can become.
struct ComparedPairs {
  bool reads_32_bits;
  DataFormat intermediate;
  std::uint32_t outs; ///< of set_of()
};

/// Where the vendor's simulator does what the documents say, on both chips (core.md 14.8).
constexpr std::array kCompared{
    ComparedPairs{false, DataFormat::Fp16,
                  set_of({DataFormat::Fp32, DataFormat::Fp16, DataFormat::Bf16})},
    ComparedPairs{false, DataFormat::Bfp8a, set_of({DataFormat::Bfp8})},
    ComparedPairs{false, DataFormat::Bf16,
                  set_of({DataFormat::Fp32, DataFormat::Bf16, DataFormat::Bfp8, DataFormat::Bfp4,
                          DataFormat::Bfp2})},
    ComparedPairs{false, DataFormat::Bfp8,
                  set_of({DataFormat::Fp32, DataFormat::Bf16, DataFormat::Bfp8, DataFormat::Bfp4})},
    ComparedPairs{false, DataFormat::Int16, set_of({DataFormat::Int16})},
    ComparedPairs{true, DataFormat::Fp32,
                  set_of({DataFormat::Fp32, DataFormat::Fp16, DataFormat::Bfp8, DataFormat::Bfp4,
                          DataFormat::Bfp2})},
    ComparedPairs{true, DataFormat::Bfp8, set_of({DataFormat::Bfp8, DataFormat::Bfp4})},
    ComparedPairs{true, DataFormat::Bf16, set_of({DataFormat::Bf16})},
    ComparedPairs{true, DataFormat::Int32, set_of({DataFormat::Int32})},
    ComparedPairs{true, DataFormat::Int16, set_of({DataFormat::Int16})},
    ComparedPairs{true, DataFormat::Int8, set_of({DataFormat::Int8})},
};

/// The same of FP16, where only one chip has it: from 32 bits of Dst, and to FP8.
bool is_compared_of_fp16(const Packing& how) {
  const ArchParams& chip = arch_params(how.arch);
  if (how.reads_32_bits && !(how.rounds_to_10_bits && chip.packs_bf16_as_fp16)) return false;
  if (how.out == DataFormat::Fp8) return how.fp8_has_long_mantissa && chip.has_fp8_of_long_mantissa;
  return how.reads_32_bits && how.out == DataFormat::Fp16;
}

bool is_compared(const Packing& how) {
  if (how.intermediate == DataFormat::Fp16 && is_compared_of_fp16(how)) return true;
  return std::ranges::any_of(kCompared, [&](const ComparedPairs& pairs) {
    return pairs.reads_32_bits == how.reads_32_bits && pairs.intermediate == how.intermediate &&
           (pairs.outs & set_of({how.out})) != 0;
  });
}

bool is_relu_compared(const Packing& how) {
  if (how.relu == Relu::None) return true;
  switch (how.intermediate) {
    case DataFormat::Int32: return how.relu == Relu::ZeroIfNegative;
    case DataFormat::Fp32:
    case DataFormat::Fp16:
    case DataFormat::Bfp8a:
    case DataFormat::Bf16:
    case DataFormat::Bfp8: return (how.threshold & kSign16) == 0;
    case DataFormat::Bfp4a:
    case DataFormat::Tf32:
    case DataFormat::Bfp4:
    case DataFormat::Int16:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Int8:
    case DataFormat::Bfp2: break;
  }
  return false;
}

} // namespace

Basis basis_of(const Packing& how) {
  return is_compared(how) && is_relu_compared(how) ? Basis::Compared : Basis::Unknown;
}

std::uint32_t pack_early(const Packing& how, std::uint32_t stored) {
  return apply_relu(
      how, how.reads_32_bits ? early_of_32_bits(how, stored) : early_of_16_bits(how, stored));
}

std::uint32_t pack_late(const Packing& how, std::uint32_t value) {
  switch (how.intermediate) {
    case DataFormat::Fp32: return late_of_fp32(how, value);
    case DataFormat::Fp16: return late_of_fp16(how, value);
    case DataFormat::Bfp8a: return bf16_of_fp16(value);
    case DataFormat::Bf16:
    case DataFormat::Bfp8: return how.out == DataFormat::Fp32 ? value << 16 : value;
    case DataFormat::Int32:
    case DataFormat::Int16:
    case DataFormat::Int8:
    case DataFormat::Tf32:
    case DataFormat::Bfp4a:
    case DataFormat::Bfp4:
    case DataFormat::Fp8:
    case DataFormat::Bfp2a:
    case DataFormat::Bfp2: break;
  }
  return value;
}

PackedBlock pack_block(DataFormat out, const std::array<std::uint32_t, 16>& values) {
  const unsigned bits = isa::format_of_code(out)->l1->bits;
  const auto exponent_of = [](std::uint32_t bf16) { return bf16 >> 7 & 0xFF; };
  std::uint32_t top = 0;
  for (const std::uint32_t value : values) top = std::max(top, exponent_of(value));
  PackedBlock block{.exponent = static_cast<std::uint8_t>(top)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t exponent = exponent_of(values[i]), down = top - exponent;
    const std::uint32_t whole = (values[i] & 0x7F) | (exponent == 0 ? 0U : 0x80U);
    const std::uint32_t rounded = down >= 8 ? 0 : (whole + (1U << down)) >> (down + 1);
    const std::uint32_t magnitude = std::min(rounded, 0x7FU) >> (8 - bits);
    const std::uint32_t sign = magnitude == 0 ? 0 : (values[i] >> 15 & 1) << (bits - 1);
    block.data[i] = static_cast<std::uint8_t>(sign | magnitude);
  }
  return block;
}

} // namespace lanewise::semantics
