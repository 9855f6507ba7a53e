#include "tile/model/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lanewise::test::model {

namespace {

std::uint32_t dst_from_bf16(std::uint32_t x) {
  return (x & 0x8000) | (x & 0x7F) << 8 | (x >> 7 & 0xFF);
}
std::uint32_t bf16_from_dst(std::uint32_t x) {
  return (x & 0x8000) | (x & 0xFF) << 7 | (x >> 8 & 0x7F);
}
std::uint32_t dst_from_fp16(std::uint32_t x) {
  return (x & 0x8000) | (x & 0x3FF) << 5 | (x >> 10 & 0x1F);
}
std::uint32_t fp16_from_dst(std::uint32_t x) {
  return (x & 0x8000) | (x & 0x1F) << 10 | (x >> 5 & 0x3FF);
}
std::uint32_t dst_from_fp32(std::uint32_t x) {
  return dst_from_bf16(x >> 16) << 16 | (x & 0xFFFF);
}
std::uint32_t fp32_from_dst(std::uint32_t x) {
  return bf16_from_dst(x >> 16) << 16 | (x & 0xFFFF);
}

/// 8 to 5 bits of exponent, with the mantissa cut to 10 bits.
std::uint32_t narrowed(std::uint32_t sign, int exponent, std::uint32_t mantissa10) {
  if (exponent < 0) return sign << 15;
  if (exponent > 31) return sign << 15 | 0x7FFF;
  return sign << 15 | static_cast<std::uint32_t>(exponent) << 10 | mantissa10;
}
std::uint32_t fp16_from_fp32(std::uint32_t x) {
  return narrowed(x >> 31, static_cast<int>(x >> 23 & 255) - 112, x >> 13 & 0x3FF);
}

/// A magnitude of 7 bits with the exponent of its block.
std::optional<std::uint32_t> from_block(std::uint32_t v, std::uint32_t e, bool five_bits) {
  const std::uint32_t sign = v >> 7 & 1;
  std::uint32_t m = v << 1 & 0xFF;
  if (m == 0) {
    if (sign == 0) return 0;
    return five_bits ? 0xFC00U : 0xFF80U;
  }
  while ((m & 0x80) == 0) {
    m = m << 1 & 0xFF;
    e = (e - 1) & 0xFF;
  }
  if (!five_bits) return sign << 15 | e << 7 | (m & 0x7E);
  if ((e & 0xE0) != 0) return std::nullopt;
  return sign << 15 | e << 10 | (m & 0x7E) << 3;
}

std::uint32_t int8_overlay(std::uint32_t v, bool is_unsigned) {
  const std::uint32_t sign = is_unsigned ? 0 : v & 0x80;
  std::uint32_t magnitude = v - sign;
  if (magnitude != 0) magnitude |= 16 << 10;
  return magnitude | sign << 8;
}

std::uint32_t fp16_from_fp8(const UnpackMode& mode, std::uint32_t v) {
  if (!mode.e4m3) return v << 8 | (mode.is_blackhole && (v & 0x7F) == 0x7F ? 0xFFU : 0U);
  const std::uint32_t e = v >> 3 & 15;
  return v >> 7 << 15 | (e != 0 ? e + 8 : 0) << 10 | (v & 7) << 7 |
         ((v & 0x7F) == 0x7F ? 0x7FU : 0U);
}

std::uint32_t arrive_bf16(const UnpackMode& mode, std::uint32_t b) {
  return mode.to_dst ? dst_from_bf16(b) : source_order(b << 16);
}
std::uint32_t arrive_fp16(const UnpackMode& mode, std::uint32_t h) {
  return mode.to_dst ? dst_from_fp16(h) : source_order((h & 0x8000) << 16 | (h & 0x7FFF) << 13);
}

std::optional<std::uint32_t> from_fp32(const UnpackMode& mode, std::uint32_t v) {
  if (mode.out == kTf32) return mode.to_dst ? dst_from_fp32(v) : source_order(v);
  if (mode.out == kBf16)
    return arrive_bf16(mode, ((v & 0x7F800000) != 0 ? v : v & 0x80000000) >> 16);
  if (mode.out == kFp16) return arrive_fp16(mode, fp16_from_fp32(v));
  if (mode.out == kFp32 && mode.to_dst) return dst_from_fp32(v);
  return std::nullopt;
}

/// A number in a block, whose magnitude begins at bit 6.
std::optional<std::uint32_t> aligned_block(unsigned in, std::uint32_t v, std::uint32_t exponent) {
  const unsigned up = 8 - bits_of(in);
  const bool five_bits = in == kBfp8a || in == kBfp4a || in == kBfp2a;
  return from_block(v << up & 0xFF, exponent, five_bits);
}

std::uint32_t infinity_for_nan(std::uint32_t x) {
  return (x & 0x7FFFFFFF) > 0x7F800000 ? (x & 0x80000000) | 0x7F800000 : x;
}

std::uint32_t early_from_32(const PackMode& mode, std::uint32_t stored) {
  if (mode.intermediate == kInt16) return stored >> 16;
  std::uint32_t v = fp32_from_dst(stored);
  if (mode.raw && (mode.intermediate == kBf16 || mode.intermediate == kBfp8)) return v >> 16;
  if (mode.intermediate == kBf16 || mode.intermediate == kBfp8) {
    v = infinity_for_nan(v);
    v = mode.intermediate == kBf16 ? static_cast<std::uint32_t>((std::uint64_t{v} + 0x8000) >> 16)
                                   : ((v >> 16) + 1) & ~1U;
    return (v & 0x7FFF) < 0x80 ? 0 : v & 0xFFFF;
  }
  if (mode.intermediate == kInt8) {
    if (mode.raw) return mode.is_unsigned ? v & 0xFF : (v >> 24 & 0x80) | (v & 0x7F);
    std::uint64_t magnitude = v & 0x7FFFFFFF; // half away from zero
    if (mode.shift != 0) magnitude = (magnitude + (1ULL << (mode.shift - 1))) >> mode.shift;
    const auto small = static_cast<std::uint32_t>(magnitude);
    if (mode.is_unsigned) return (v & 0x80000000) != 0 ? 0 : std::min(small, 255U);
    return (v >> 24 & 0x80) | std::min(small, 127U);
  }
  if (mode.intermediate == kFp16) {
    v = (infinity_for_nan(v) + 0x1000) >> 13;
    return (v & 0x3FFFF) < 0x400 ? 0 : v;
  }
  return v;
}

std::uint32_t early_from_16(const PackMode& mode, std::uint32_t stored) {
  const unsigned to = mode.intermediate;
  if (mode.raw && to == kFp16) return fp16_from_dst(stored);
  if (mode.raw && (to == kBf16 || to == kBfp8)) return bf16_from_dst(stored);
  if (to == kFp16 && mode.round_10 && mode.is_blackhole) {
    const std::uint32_t b = bf16_from_dst(stored);
    return narrowed(b >> 15, static_cast<int>(b >> 7 & 255) - 112, (b & 0x7F) << 3);
  }
  if (to == kFp16 || to == kBfp8a) {
    std::uint32_t h = fp16_from_dst(stored);
    if (to == kBfp8a) {
      if ((h & 0x7FFF) > 0x7FF7) h = (h & 0x8000) | 0x7FF0;
      h = (h + 8) & ~15U;
    }
    return (h & 0x7FFF) < 0x400 ? 0 : h;
  }
  if (to == kBf16 || to == kBfp8) {
    std::uint32_t b = bf16_from_dst(stored);
    if ((b & 0x7FFF) > 0x7F80) b = (b & 0x8000) | 0x7F80;
    if ((b & 0x7FFF) < 0x80) b = 0;
    return to == kBfp8 ? (b + 1) & ~1U & 0xFFFF : b;
  }
  return stored;
}

float flushed(std::uint32_t bits) {
  return std::bit_cast<float>((bits & 0x7FFFFFFF) < 0x800000 ? bits & 0x80000000 : bits);
}

std::uint32_t sum_fp32(std::uint32_t old, std::uint32_t packed) {
  const auto sum = std::bit_cast<std::uint32_t>(flushed(old) + flushed(packed));
  if ((sum & 0x7FFFFFFF) > 0x7F800000) return 0x7FC00000;
  return (sum & 0x7FFFFFFF) < 0x800000 ? sum & 0x80000000 : sum;
}

double bf16_value(std::uint32_t x, bool is_old) {
  const double sign = (x & 0x8000) != 0 ? -1.0 : 1.0;
  const std::uint32_t magnitude = x & 0x7FFF;
  if (magnitude < 0x80) return std::copysign(0.0, sign);
  if (magnitude > 0x7F80)
    return sign *
           (is_old ? std::numeric_limits<double>::max() : std::ldexp(1 + (x & 127) / 128.0, 128));
  return static_cast<double>(std::bit_cast<float>(x << 16));
}

std::uint32_t sum_bf16(std::uint32_t old, std::uint32_t packed) {
  if ((old == 0x7F80 && packed == 0xFF80) || (old == 0xFF80 && packed == 0x7F80)) return 0x7FC0;
  const auto q = std::bit_cast<std::uint64_t>(bf16_value(old, true) + bf16_value(packed, false));
  const auto sign = static_cast<std::uint32_t>(q >> 63) << 15;
  const int exponent = static_cast<int>(q >> 52 & 0x7FF) - 1023 + 127;
  const std::uint64_t m = q & ((1ULL << 52) - 1);
  if (exponent <= 0) return sign;
  if (exponent >= 255) return sign | 0x7F80;
  const std::uint64_t rounded = (m + (1ULL << 44) - 1 + (m >> 45 & 1)) >> 45;
  return (sign | (static_cast<std::uint32_t>(exponent) << 7)) + static_cast<std::uint32_t>(rounded);
}

std::uint32_t sum_fp16(std::uint32_t old, std::uint32_t packed) {
  const auto wide = [](std::uint32_t h) {
    const std::uint32_t magnitude = h & 0x7FFF;
    return std::bit_cast<float>((h & 0x8000) << 16 |
                                (magnitude >= 0x400 ? (magnitude << 13) + (112U << 23) : 0U));
  };
  const auto sum = std::bit_cast<std::uint32_t>(wide(old) + wide(packed));
  const std::uint32_t sign = sum >> 16 & 0x8000;
  if ((sum & 0x7FFFFFFF) == 0) return sign | ((old >> 10 & 31) >= 30 ? 0x7FFFU : 0U);
  const int exponent = static_cast<int>(sum >> 23 & 255) - 112;
  if (exponent <= 0) return sign | (exponent < 0 ? 0x7FFFU : 0U);
  const std::uint32_t m = sum & 0x7FFFFF;
  const std::uint32_t rounded =
      (static_cast<std::uint32_t>(exponent) << 10) + ((m + (1U << 12) - 1 + (m >> 13 & 1)) >> 13);
  return sign | std::min(rounded, 0x7FFFU);
}

} // namespace

unsigned bits_of(unsigned format) {
  constexpr unsigned kBits[] = {32, 16, 8};
  if ((format & 3) == 3) return format < 8 ? 4 : 2;
  return kBits[format & 3];
}

bool shares_exponents(unsigned format) {
  return format == kBfp8 || format == kBfp8a || format == kBfp4 || format == kBfp4a ||
         format == kBfp2 || format == kBfp2a;
}

std::uint32_t source_order(std::uint32_t tf32) {
  const std::uint32_t x = tf32 >> 13;
  return (x & 0x40000) | (x & 0x3FF) << 8 | (x >> 10 & 0xFF);
}
std::uint32_t arithmetic_order(std::uint32_t cell) {
  return ((cell & 0x40000) | (cell & 0xFF) << 10 | (cell >> 8 & 0x3FF)) << 13;
}

std::optional<std::uint32_t> unpacked(const UnpackMode& mode, std::uint32_t datum,
                                      std::uint32_t exponent) {
  if (mode.in == kFp32) return from_fp32(mode, datum);
  if (mode.in == kTf32 || mode.in == kInt32) {
    if (!mode.to_dst) return std::nullopt;
    return dst_from_fp32(datum);
  }
  if (mode.in == kInt16) // SrcA's order is such that Dst gets the 16 bits back
    return mode.to_dst ? datum : (datum & 0xFF00) << 3 | (datum & 0xFF);
  if (mode.in == kFp16) return arrive_fp16(mode, datum);
  if (mode.in == kBf16) return arrive_bf16(mode, datum);
  if (mode.in == kFp8) return arrive_fp16(mode, fp16_from_fp8(mode, datum));
  if (mode.in == kInt8) return arrive_fp16(mode, int8_overlay(datum, mode.is_unsigned));
  if (!shares_exponents(mode.in)) return std::nullopt;
  const auto value = aligned_block(mode.in, datum, exponent);
  if (!value) return std::nullopt;
  const bool is_fp16 = mode.in == kBfp8a || mode.in == kBfp4a || mode.in == kBfp2a;
  return is_fp16 ? arrive_fp16(mode, *value) : arrive_bf16(mode, *value);
}

std::uint32_t early(const PackMode& mode, std::uint32_t stored) {
  return mode.reads_32 ? early_from_32(mode, stored) : early_from_16(mode, stored);
}

std::uint32_t relu(const PackMode& mode, std::uint32_t v) {
  if (mode.relu == 0) return v;
  if (mode.intermediate == kInt32) return (v & 0x80000000) != 0 ? 0 : v;
  std::uint32_t sign = 0x80000000, threshold = mode.threshold << 16;
  unsigned compared_from = 13; // FP32: mode 3 compares the bits that TF32 has
  if (mode.intermediate == kFp16 && mode.reads_32) {
    sign = 0x40000;
    threshold = mode.threshold << 3;
    compared_from = 0;
  } else if (mode.intermediate == kFp16 || mode.intermediate == kBfp8a ||
             mode.intermediate == kBf16 || mode.intermediate == kBfp8) {
    sign = 0x8000;
    threshold = mode.threshold;
    compared_from = 0;
  }
  if ((v & sign) != 0) v = 0;
  if (mode.relu == 2 && v <= threshold) v = 0;
  if (mode.relu == 3 && v >> compared_from > threshold >> compared_from) v = threshold;
  return v;
}

std::uint32_t above_threshold(const PackMode& mode, std::uint32_t v) {
  const unsigned from = mode.intermediate;
  std::uint32_t exponent = 0xFF; // of integers: none
  if (from == kFp32) exponent = v >> 23 & 0xFF;
  if (from == kBf16 || from == kBfp8) exponent = v >> 7 & 0xFF;
  if ((from == kFp16 && !mode.reads_32) || from == kBfp8a) exponent = v >> 10 & 0x1F;
  return exponent < mode.exponent_threshold ? 0 : v;
}

std::uint32_t late(const PackMode& mode, std::uint32_t v) {
  const unsigned from = mode.intermediate, to = mode.out;
  if (from == kFp16 && mode.reads_32)
    v = narrowed(v >> 18, static_cast<int>(v >> 10 & 255) - 112, v & 0x3FF);
  if (from == kFp16 && to == kFp32)
    return (v & 0x8000) << 16 |
           ((v & 0x7C00) != 0 ? ((v & 0x7FFF) + (112 << 10)) << 13 : (v & 0x3FF) << 13);
  if ((from == kFp16 && to == kBf16) || (from == kBfp8a && to == kBfp8)) {
    const std::uint32_t e = v >> 10 & 31;
    return e == 0 ? 0 : (v & 0x8000) | (e + 112) << 7 | (v & 0x3FF) >> 3;
  }
  if (from == kFp16 && to == kFp8) {
    const std::uint32_t sign = v >> 15 << 7, e = v >> 10 & 31;
    if (e <= 8) return sign;
    return e >= 24 ? sign | 0x7F : sign | (e - 8) << 3 | (v >> 7 & 7);
  }
  if (from == kFp32 && to == kFp16) return fp16_from_fp32(v);
  if (from == kFp32 && shares_exponents(to)) return (v >> 16 & 0x7FFF) < 0x80 ? 0 : v >> 16;
  if ((from == kBf16 || from == kBfp8) && to == kFp32) return v << 16;
  return v;
}

BlockModel block_of(const std::array<std::uint32_t, 16>& values, unsigned bits) {
  BlockModel block;
  for (const std::uint32_t v : values) block.exponent = std::max(block.exponent, v >> 7 & 255);
  for (unsigned i = 0; i < 16; ++i) {
    const std::uint32_t e = values[i] >> 7 & 255, below = block.exponent - e;
    std::uint32_t m = (values[i] & 127) | (e != 0 ? 128U : 0U);
    m = below >= 8 ? 0 : std::min((m + (1U << below)) >> (below + 1), 127U);
    m >>= 8 - bits;
    block.code[i] = m | (m != 0 ? (values[i] >> 15 & 1) << (bits - 1) : 0U);
  }
  return block;
}

std::uint32_t accumulated(unsigned format, std::uint32_t old, std::uint32_t packed) {
  if (format == kFp32) return sum_fp32(old, packed);
  return format == kBf16 ? sum_bf16(old, packed) : sum_fp16(old, packed);
}

} // namespace lanewise::test::model
