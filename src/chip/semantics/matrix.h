// The Matrix Unit's arithmetic, one number at a time, as MU 5 states it: modes, operands, terms.
//
// This is the reference: plain integers, written to be compared with the rules. The lane kernels
// compute the same with vectors (chip/semantics/matrix_lanes.h) and are held against it by test.
//
// Source operands are cells of SourceFile: the upper 19 bits of an FP32, masked for their format.
// Dst operands are in register form: FP32 as it is, BF16 as its upper half, FP16 with its 5-bit
// exponent as the 8-bit one (MU 5.1).
#pragma once

#include <cstdint>

#include "chip/semantics/lanes.h"

namespace lanewise::semantics {

/// How the Matrix Unit computes (MU 2.2).
enum class MatrixArithmetic : std::uint8_t {
  Exponent8, ///< BF16, TF32 and block formats with 8-bit exponents
  Exponent5, ///< FP16, FP8 and block formats with 5-bit exponents
  Int8
};

/// What floating-point arithmetic depends on.
struct MatrixFloat {
  bool exponent_5 = false;        ///< 5-bit exponents
  bool wide = false;              ///< 32-bit Dst
  unsigned phase = 0;             ///< fidelity phase; bit 0 chooses bits of SrcA, bit 1 of SrcB
  bool minus_one_erratum = false; ///< Wormhole (MU 5.5)
  bool keeps_denormals = false;   ///< Zero_Flag_disabled_src, for SrcB of the element-wise ones
};

/// A summand: value * 2^(exponent - bias - 23), with 23 fraction bits (MU 5).
struct MatrixTerm {
  std::int32_t value = 0;
  int exponent = 0;

  friend constexpr bool operator==(const MatrixTerm&, const MatrixTerm&) = default;
};

/// Fraction bits of a term, of a source operand, and of a product.
inline constexpr int kTermFraction = 23;
inline constexpr int kSourceFraction = 10;
inline constexpr int kProductToTerm = kTermFraction - kSourceFraction;

/// What fidelity phases take off the exponent: they use the bits 5 below in SrcA, 7 below in SrcB.
LANEWISE_INLINE constexpr int phase_offset(unsigned phase) {
  return ((phase & 1) != 0 ? 5 : 0) + ((phase & 2) != 0 ? 7 : 0);
}

/// K of MU 5.2: exponent of a product is eA + eB + K.
LANEWISE_INLINE constexpr int product_exponent_offset(const MatrixFloat& mode) {
  constexpr int kRebias = 112; // from FP16's exponents to FP32's: 127 - 15
  const int bias = mode.exponent_5 ? 15 : 127;
  const int to_dst = mode.exponent_5 && mode.wide ? kRebias : 0;
  return to_dst - bias - phase_offset(mode.phase);
}

/// Z of MU 5.2: the exponent of a product that is zero because an operand is.
LANEWISE_INLINE constexpr int zero_product_exponent(const MatrixFloat& mode) {
  const int offset = product_exponent_offset(mode);
  return offset > 0 ? offset : 0;
}

/// A source operand taken apart (MU 5.1). Zero if and only if the exponent is: denormals are
/// flushed, with their sign.
struct SourceOperand {
  bool negative = false;
  int exponent = 0;
  int mantissa = 0; ///< with its hidden one, 11 bits; 0 for a zero

  constexpr bool zero() const { return mantissa == 0; }
};

constexpr SourceOperand source_operand(std::uint32_t cell) {
  const int exponent = static_cast<int>(cell >> 23 & 0xFF);
  if (exponent == 0) return {};
  return {.negative = (cell >> 31) != 0,
          .exponent = exponent,
          .mantissa = static_cast<int>(1024 | (cell >> 13 & 0x3FF))};
}

/// SrcB in element-wise instructions with Zero_Flag_disabled_src: a denormal counts with its hidden
/// one (MU 5.6, 5.7). `zero_counts`: even when its mantissa is 0.
constexpr SourceOperand unflushed_operand(std::uint32_t cell, bool zero_counts) {
  const int mantissa = static_cast<int>(cell >> 13 & 0x3FF);
  if (mantissa == 0 && !zero_counts && (cell >> 23 & 0xFF) == 0) return {};
  return {.negative = (cell >> 31) != 0,
          .exponent = static_cast<int>(cell >> 23 & 0xFF),
          .mantissa = 1024 | mantissa};
}

/// |value| / 2^distance, half away from zero, with the sign of value.
constexpr std::int32_t shift_away_from_zero(std::int32_t value, int distance) {
  if (distance == 0) return value;
  if (distance >= 31) return 0;
  const std::int64_t magnitude = value < 0 ? -std::int64_t{value} : value;
  const std::int64_t shifted = (magnitude + (std::int64_t{1} << (distance - 1))) >> distance;
  return static_cast<std::int32_t>(value < 0 ? -shifted : shifted);
}

/// value / 2^distance, half toward +infinity.
constexpr std::int32_t shift_upward(std::int32_t value, int distance) {
  if (distance == 0) return value;
  if (distance >= 31) return 0;
  return static_cast<std::int32_t>((std::int64_t{value} + (std::int64_t{1} << (distance - 1))) >>
                                   distance);
}

} // namespace lanewise::semantics
