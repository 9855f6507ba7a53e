// Library: coefficients of piecewise linear tables, as scalars (sLut..) and as vectors (vLut..),
// and lut() of them. Since release 7.73.
//
// A piece is slope * |x| + intercept. The names say what a 32-bit (8si: 16-bit) entry holds: "si" a
// slope and an intercept, "ss" two slopes, "ii" two intercepts.
#pragma once

#include "sfpi_tables.h"

namespace sfpi {

/// What becomes of the sign of lut()'s argument: the result takes it, or keeps its own.
enum class LutSign { Retain, Update };

/// What the table is made of: pieces begin at 0, 1 and 2, or with six of them at 0, 0.5, 1, 1.5, 2
/// and 3 (HWM3) or 4 (HWM4).
enum class LutMode { Fp8x3, Fp16x3, Fp32x3, Fp16x6_HWM3, Fp16x6_HWM4 };

namespace impl_ {

/// A coefficient of 8 bits: sign, 3 bits of negated exponent, 4 of mantissa. Rounded to nearest,
/// ties away from zero; below 2^-6 it is 0xFF, which the hardware reads as 0, above the range 2 -
/// 1/16.
inline std::uint32_t lut8_of(float value) {
  constexpr std::uint32_t kHalfUlp = 1U << 18, kZero = 0xFF, kLargest = 0x0F;
  constexpr int kBias = 127, kLeast = -6;
  const std::uint32_t rounded = (float_as_uint(value) & 0x7FFFFFFF) + kHalfUlp;
  const int exponent = static_cast<int>(rounded >> 23) - kBias;
  const std::uint32_t sign = float_as_uint(value) >> 31 << 7;
  if (exponent < kLeast) return sign | kZero;
  if (exponent > 0) return sign | kLargest;
  return sign | static_cast<std::uint32_t>(-exponent) << 4 | (rounded >> 19 & 0xF);
}

/// A coefficient of 16 bits: sign, 5 bits of exponent, 10 of mantissa. Rounded likewise; below
/// 2^-15 it is 0x7C00, which the hardware reads as 0, above the range 0x7BFF.
inline std::uint32_t lut16_of(float value) {
  constexpr std::uint32_t kHalfUlp = 1U << 12, kZero = 0x7C00, kLargest = 0x7BFF;
  constexpr int kBiasDifference = 112, kMost = 30;
  const std::uint32_t rounded = (float_as_uint(value) & 0x7FFFFFFF) + kHalfUlp;
  const int exponent = static_cast<int>(rounded >> 23) - kBiasDifference;
  const std::uint32_t sign = float_as_uint(value) >> 31 << 15;
  if (exponent < 0) return sign | kZero;
  if (exponent > kMost) return sign | kLargest;
  return sign | static_cast<std::uint32_t>(exponent) << 10 | (rounded >> 13 & 0x3FF);
}

enum class LutPair { SlopeIntercept, Slopes, Intercepts };

/// Two coefficients of `bits` bits in one scalar: a slope above its intercept, or the first of two
/// of the same kind below the second.
template <unsigned bits, LutPair pair>
class sLut {
  static constexpr bool kFirstIsHigh = pair == LutPair::SlopeIntercept;
  static constexpr std::uint32_t kMask = (1U << bits) - 1;

 public:
  static constexpr unsigned coefficient_bits = bits;
  static constexpr LutPair kind = pair;

  sLut(float first, float second) : sLut(Patterns{}, pattern(first), pattern(second)) {}
  /// Integers are patterns.
  template <class T, class U, if_integer<T> = 0, if_integer<U> = 0>
  explicit sLut(T first, U second) : sLut(Patterns{}, bits_of(first), bits_of(second)) {}
  /// The slopes, or the intercepts, of two pieces.
  template <LutPair from,
            std::enable_if_t<from == LutPair::SlopeIntercept && from != pair, int> = 0>
  sLut(sLut<bits, from> first, sLut<bits, from> second)
      : sLut(Patterns{}, part_of(first.get()), part_of(second.get())) {}

  std::uint32_t get() const { return value_; }

 private:
  struct Patterns {};
  sLut(Patterns, std::uint32_t first, std::uint32_t second)
      : value_((first & kMask) << (kFirstIsHigh ? bits : 0) | (second & kMask)
                                                                  << (kFirstIsHigh ? 0 : bits)) {}

  static std::uint32_t pattern(float value) { return bits == 8 ? lut8_of(value) : lut16_of(value); }
  static std::uint32_t part_of(std::uint32_t piece) {
    return pair == LutPair::Slopes ? piece >> bits : piece;
  }

  std::uint32_t value_;
};

/// The same in every lane of a vector.
template <unsigned bits, LutPair pair>
class vLut : public vVal {
 public:
  vLut(sLut<bits, pair> scalar) : vVal(lanewise_sfpi::constant(scalar.get())) {}
  vLut(float first, float second) : vLut(sLut<bits, pair>(first, second)) {}
  template <class T, class U, if_integer<T> = 0, if_integer<U> = 0>
  explicit vLut(T first, U second) : vLut(sLut<bits, pair>(first, second)) {}
  explicit vLut(sfpu_t value) : vVal(value) {}
  vLut(const vLReg& reg) : vVal(reg.read()) {}
};

template <LutMode mode, LutMode... allowed>
constexpr void check_lut() {
  static_assert(
      available<since(73), static_cast<int>(mode)>,
      "lut() of vLut.. came with SFPI 7.73: lut(v, vUInt...) or lut2(), or a later --sfpi");
  static_assert(((mode == allowed) || ...), "these coefficients are of another LutMode");
}

} // namespace impl_

using sLut8si = impl_::sLut<8, impl_::LutPair::SlopeIntercept>;
using sLut16si = impl_::sLut<16, impl_::LutPair::SlopeIntercept>;
using sLut16ss = impl_::sLut<16, impl_::LutPair::Slopes>;
using sLut16ii = impl_::sLut<16, impl_::LutPair::Intercepts>;
using vLut8si = impl_::vLut<8, impl_::LutPair::SlopeIntercept>;
using vLut16si = impl_::vLut<16, impl_::LutPair::SlopeIntercept>;
using vLut16ss = impl_::vLut<16, impl_::LutPair::Slopes>;
using vLut16ii = impl_::vLut<16, impl_::LutPair::Intercepts>;

/// A slope and an intercept in FP32: of two registers.
class sLut32si {
 public:
  sLut32si(float slope, float intercept) : slope_(slope), intercept_(intercept) {}
  vFloat s() const { return vFloat(slope_); }
  vFloat i() const { return vFloat(intercept_); }

 private:
  float slope_, intercept_;
};
class vLut32si {
 public:
  vLut32si(sLut32si piece) : slope_(piece.s()), intercept_(piece.i()) {}
  vLut32si(const vFloat& slope, const vFloat& intercept) : slope_(slope), intercept_(intercept) {}
  vLut32si(float slope, float intercept) : slope_(slope), intercept_(intercept) {}
  impl_::sfpu_t s_get() const { return slope_.get(); }
  impl_::sfpu_t i_get() const { return intercept_.get(); }

 private:
  vFloat slope_, intercept_;
};

template <LutMode mode = LutMode::Fp8x3>
inline vFloat lut(const vFloat& v, const vLut8si& p0, const vLut8si& p1, const vLut8si& p2,
                  LutSign sign = LutSign::Retain) {
  impl_::check_lut<mode, LutMode::Fp8x3>();
  const unsigned mod = sign == LutSign::Retain ? SFPLUT_MOD0_SGN_RETAIN : SFPLUT_MOD0_SGN_UPDATE;
  return impl_::lut_of_three(lanewise_sfpi::kSfpLut, mod, v, p0, p1, p2);
}

namespace impl_ {
constexpr unsigned lut_sign_mod(LutSign sign) {
  return sign == LutSign::Retain ? SFPLUTFP32_MOD0_SGN_RETAIN : SFPLUTFP32_MOD0_SGN_UPDATE;
}
} // namespace impl_

template <LutMode mode = LutMode::Fp16x3>
inline vFloat lut(const vFloat& v, const vLut16si& p0, const vLut16si& p1, const vLut16si& p2,
                  LutSign sign = LutSign::Retain) {
  impl_::check_lut<mode, LutMode::Fp16x3>();
  return impl_::lut_of_three(lanewise_sfpi::kSfpLutFp32,
                             SFPLUTFP32_MOD0_FP16_3ENTRY_TABLE | impl_::lut_sign_mod(sign), v, p0,
                             p1, p2);
}
template <LutMode mode = LutMode::Fp32x3>
inline vFloat lut(const vFloat& v, const vLut32si& p0, const vLut32si& p1, const vLut32si& p2,
                  LutSign sign = LutSign::Retain) {
  impl_::check_lut<mode, LutMode::Fp32x3>();
  return impl_::lut_of_six(SFPLUTFP32_MOD0_FP32_3ENTRY_TABLE | impl_::lut_sign_mod(sign), v,
                           p0.s_get(), p1.s_get(), p2.s_get(), p0.i_get(), p1.i_get(), p2.i_get());
}
template <LutMode mode = LutMode::Fp16x6_HWM3>
inline vFloat lut(const vFloat& v, const vLut16ss& s01, const vLut16ii& i01, const vLut16ss& s23,
                  const vLut16ii& i23, const vLut16ss& s45, const vLut16ii& i45,
                  LutSign sign = LutSign::Retain) {
  impl_::check_lut<mode, LutMode::Fp16x6_HWM3, LutMode::Fp16x6_HWM4>();
  constexpr unsigned kTable = impl_::six_entry_mod(mode == LutMode::Fp16x6_HWM3 ? 1 : 2);
  return impl_::lut_of_six(kTable | impl_::lut_sign_mod(sign), v, s01, s23, s45, i01, i23, i45);
}

} // namespace sfpi
