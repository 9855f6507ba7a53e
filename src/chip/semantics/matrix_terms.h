// Products, sums of eight, and the terms of the element-wise instructions (MU 5.3, 5.4, 5.6, 5.7).
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "chip/semantics/matrix.h"

namespace lanewise::semantics {

/// One product of a phase (MU 5.3): 5 bits of SrcA times 7 bits of SrcB, not renormalised.
struct MatrixProduct {
  std::int32_t value = 0; ///< signed, with 10 fraction bits
  int exponent = 0;
};

constexpr MatrixProduct multiply_parts(const MatrixFloat& mode, const SourceOperand& a,
                                       const SourceOperand& b) {
  if (a.zero() || b.zero()) return {.value = 0, .exponent = zero_product_exponent(mode)};
  const int part_a = (mode.phase & 1) != 0 ? a.mantissa >> 1 & 31 : a.mantissa >> 6;
  const int part_b = (mode.phase & 2) != 0 ? (b.mantissa & 15) << 3 : b.mantissa >> 4;
  const int magnitude = part_a * part_b;
  return {.value = a.negative != b.negative ? -magnitude : magnitude,
          .exponent = a.exponent + b.exponent + product_exponent_offset(mode)};
}

/// Products that are aligned and summed together: of the 16, the first and the last eight.
inline constexpr unsigned kGroupSize = 8;

/// The sum of eight products as a term (MU 5.4).
constexpr MatrixTerm sum_group(std::span<const MatrixProduct, kGroupSize> products) {
  int exponent = products[0].exponent;
  for (const MatrixProduct& p : products) exponent = std::max(exponent, p.exponent);
  if (exponent <= 0) return {};
  std::int32_t sum = 0;
  for (const MatrixProduct& p : products)
    sum += shift_away_from_zero(p.value, exponent - p.exponent);
  return {.value = sum * (1 << kProductToTerm), .exponent = exponent};
}

/// ELWMUL (MU 5.6): unlike in a sum, one product without exponent left is flushed.
constexpr MatrixTerm multiply_term(const MatrixFloat& mode, std::uint32_t a, std::uint32_t b) {
  const SourceOperand factor_a = source_operand(a);
  const SourceOperand factor_b =
      mode.keeps_denormals ? unflushed_operand(b, true) : source_operand(b);
  const MatrixProduct product = multiply_parts(mode, factor_a, factor_b);
  if (factor_a.zero() || factor_b.zero() || product.exponent <= 0)
    return {.value = 0, .exponent = zero_product_exponent(mode)};
  return {.value = product.value * (1 << kProductToTerm), .exponent = product.exponent};
}

/// ELWADD, and ELWSUB with the sign of `b` inverted by the caller (MU 5.7). In phases other than 0
/// the sum is divided by 32 and 128 ([D]; how that rounds is unknown, here it only moves the
/// exponent).
constexpr MatrixTerm add_term(const MatrixFloat& mode, std::uint32_t a, std::uint32_t b) {
  SourceOperand larger = source_operand(a);
  SourceOperand smaller = mode.keeps_denormals ? unflushed_operand(b, false) : source_operand(b);
  const auto rank = [](const SourceOperand& x) {
    return x.exponent << kSourceFraction | (x.mantissa & 1023);
  };
  if (rank(smaller) > rank(larger)) std::swap(larger, smaller);
  constexpr int kOutOfReach = 12;
  const int distance = larger.exponent - smaller.exponent;
  const int aligned =
      distance >= kOutOfReach ? 0 : shift_away_from_zero(smaller.mantissa, distance);
  const int magnitude =
      larger.negative == smaller.negative ? larger.mantissa + aligned : larger.mantissa - aligned;
  int exponent = larger.exponent;
  if (mode.exponent_5 && mode.wide) {
    constexpr int kRebias = 112, kZeroExponent = 97; // as zero products have it in phase 0
    exponent = exponent != 0 ? exponent + kRebias : kZeroExponent;
  }
  return {.value = (larger.negative ? -magnitude : magnitude) * (1 << kProductToTerm),
          .exponent = exponent - phase_offset(mode.phase)};
}

} // namespace lanewise::semantics
