// Library: piecewise linear tables (SFPLUT, SFPLUTFP32) and the hardware's approximations.
#pragma once

#include "sfpi_operators.h"

namespace sfpi {

namespace impl_ {

/// SFPLUT and SFPLUTFP32 take their input from LReg[3].
inline constexpr unsigned kLutInput = 3;

inline vFloat lut_of_three(lanewise_sfpi::Opcode opcode, unsigned mod, const vFloat& v,
                           const vVal& l0, const vVal& l1, const vVal& l2) {
  return vFloat(lanewise_sfpi::Instruction(opcode, mod)
                    .lreg(0, l0.get())
                    .lreg(1, l1.get())
                    .lreg(2, l2.get())
                    .lreg(kLutInput, v.get()));
}

/// Slopes in LReg[0..2], intercepts in LReg[4..6].
inline vFloat lut_of_six(unsigned mod, const vVal& v, const vVal& a0, const vVal& a1,
                         const vVal& a2, const vVal& b0, const vVal& b1, const vVal& b2) {
  return vFloat(lanewise_sfpi::Instruction(lanewise_sfpi::kSfpLutFp32, mod)
                    .lreg(0, a0.get())
                    .lreg(1, a1.get())
                    .lreg(2, a2.get())
                    .lreg(kLutInput, v.get())
                    .lreg(4, b0.get())
                    .lreg(5, b1.get())
                    .lreg(6, b2.get()));
}

constexpr unsigned six_entry_mod(int mode) {
  return mode == 1 ? SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE1 : SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE2;
}

} // namespace impl_

/// Three pieces of fp8 pairs; the result takes the sign of v.
inline vFloat lut(const vFloat& v, const vUInt& l0, const vUInt& l1, const vUInt& l2) {
  return impl_::lut_of_three(lanewise_sfpi::kSfpLut, SFPLUT_MOD0_SGN_RETAIN, v, l0, l1, l2);
}
/// The same; the result keeps its own sign.
inline vFloat lut_sign(const vFloat& v, const vUInt& l0, const vUInt& l1, const vUInt& l2) {
  return impl_::lut_of_three(lanewise_sfpi::kSfpLut, SFPLUT_MOD0_SGN_UPDATE, v, l0, l1, l2);
}

namespace impl_ {

/// Grayskull's SFPLUT: the mode of an offset, which counts in halves.
template <class T>
inline unsigned offset_mode(T offset) {
  if (offset == 0) return 0;
  if (offset != 1 && int_of(offset) != -1) {
    lanewise_sfpi::fail("the offset of a lut() is 1 for 0.5, -1 for -0.5, or 0",
                        "add another number to the result");
  }
  return offset == 1 ? 1 : 3;
}

} // namespace impl_

/// The 0.5 or -0.5 that Grayskull's SFPLUT adds: offset 1 or -1.
template <class T, impl_::if_integer<T> = 0>
inline vFloat lut(const vFloat& v, const vUInt& l0, const vUInt& l1, const vUInt& l2, T offset) {
  static_assert(impl_::available<impl_::Chip::adds_half, sizeof(offset)>,
                "only Grayskull's lut() has an offset: add it to the result");
  return impl_::lut_of_three(lanewise_sfpi::kSfpLut,
                             SFPLUT_MOD0_SGN_RETAIN | impl_::offset_mode(offset), v, l0, l1, l2);
}
template <class T, impl_::if_integer<T> = 0>
inline vFloat lut_sign(const vFloat& v, const vUInt& l0, const vUInt& l1, const vUInt& l2,
                       T offset) {
  static_assert(impl_::available<impl_::Chip::adds_half, sizeof(offset)>,
                "only Grayskull's lut_sign() has an offset: add it to the result");
  return impl_::lut_of_three(lanewise_sfpi::kSfpLut,
                             SFPLUT_MOD0_SGN_UPDATE | impl_::offset_mode(offset), v, l0, l1, l2);
}

/// Three pieces of fp16 pairs.
inline vFloat lut2(const vFloat& v, const vUInt& l0, const vUInt& l1, const vUInt& l2) {
  return impl_::lut_of_three(lanewise_sfpi::kSfpLutFp32,
                             SFPLUTFP32_MOD0_FP16_3ENTRY_TABLE | SFPLUTFP32_MOD0_SGN_RETAIN, v, l0,
                             l1, l2);
}
inline vFloat lut2_sign(const vFloat& v, const vUInt& l0, const vUInt& l1, const vUInt& l2) {
  return impl_::lut_of_three(lanewise_sfpi::kSfpLutFp32,
                             SFPLUTFP32_MOD0_FP16_3ENTRY_TABLE | SFPLUTFP32_MOD0_SGN_UPDATE, v, l0,
                             l1, l2);
}

/// Three pieces of fp32 slopes and intercepts.
inline vFloat lut2(const vFloat& v, const vFloat& a0, const vFloat& a1, const vFloat& a2,
                   const vFloat& b0, const vFloat& b1, const vFloat& b2) {
  return impl_::lut_of_six(SFPLUTFP32_MOD0_FP32_3ENTRY_TABLE | SFPLUTFP32_MOD0_SGN_RETAIN, v, a0,
                           a1, a2, b0, b1, b2);
}
inline vFloat lut2_sign(const vFloat& v, const vFloat& a0, const vFloat& a1, const vFloat& a2,
                        const vFloat& b0, const vFloat& b1, const vFloat& b2) {
  return impl_::lut_of_six(SFPLUTFP32_MOD0_FP32_3ENTRY_TABLE | SFPLUTFP32_MOD0_SGN_UPDATE, v, a0,
                           a1, a2, b0, b1, b2);
}

/// Six pieces of fp16 slopes and intercepts, in pairs; `mode` chooses where the last piece begins.
inline vFloat lut2(const vFloat& v, const vUInt& a01, const vUInt& a23, const vUInt& a45,
                   const vUInt& b01, const vUInt& b23, const vUInt& b45, int mode = 1) {
  return impl_::lut_of_six(impl_::six_entry_mod(mode) | SFPLUTFP32_MOD0_SGN_RETAIN, v, a01, a23,
                           a45, b01, b23, b45);
}
inline vFloat lut2_sign(const vFloat& v, const vUInt& a01, const vUInt& a23, const vUInt& a45,
                        const vUInt& b01, const vUInt& b23, const vUInt& b45, int mode = 1) {
  return impl_::lut_of_six(impl_::six_entry_mod(mode) | SFPLUTFP32_MOD0_SGN_UPDATE, v, a01, a23,
                           a45, b01, b23, b45);
}

// What follows are templates for static_assert's sake: an error only where they are used.

/// About 1/v, to 7 bits. Blackhole.
template <bool unconditional = true>
inline vFloat approx_recip(const vFloat& v, RecipMode mode) {
  static_assert(impl_::available<impl_::Chip::arecip, unconditional>,
                "approx_recip() needs SFPARECIP, which Wormhole does not have");
  const unsigned all = 0, if_negative = 1; // SFPARECIP_MOD1_RECIP, _COND_RECIP
  lanewise_sfpi::Instruction recip(lanewise_sfpi::kSfpARecip,
                                   mode == RecipMode::All ? all : if_negative);
  recip.vc(v.get());
  // The condition is the sign of VB.
  if (mode == RecipMode::IfNegative) recip.vb(v.get());
  return vFloat(recip);
}
/// With `unconditional` false only where v is negative; v itself elsewhere.
template <bool unconditional = true>
inline vFloat approx_recip(const vFloat& v) {
  return approx_recip<unconditional>(v, unconditional ? RecipMode::All : RecipMode::IfNegative);
}

/// About e^|v|, with the sign of v. Blackhole.
template <int dependent = 0>
inline vFloat approx_exp(const vFloat& v) {
  static_assert(impl_::available<impl_::Chip::arecip, dependent>,
                "approx_exp() needs SFPARECIP, which Wormhole does not have");
  const unsigned exponential = 2; // SFPARECIP_MOD1_EXP
  return vFloat(lanewise_sfpi::unary(lanewise_sfpi::kSfpARecip, exponential, v.get()));
}

/// A half of the 46-bit product of the low 23 bits. Blackhole.
template <class A, class B, impl_::if_vector<A> = 0, impl_::if_vector<B> = 0>
inline vMag fractional_mul(const A& a, const B& b, FractionalHalf half = FractionalHalf::Low) {
  static_assert(impl_::available<impl_::Chip::mul24, sizeof(A)>,
                "fractional_mul() needs SFPMUL24, which Wormhole does not have");
  const unsigned lower = 0, upper = 1; // SFPMUL24_MOD1_LOWER, _UPPER
  // SFPMUL24 wants the constant 0 as VC (VU 3.7).
  const impl_::sfpu_t zero =
      lanewise_sfpi::leaf(LanewiseKind::ConstRegister, static_cast<int>(CREG_IDX_0));
  return vMag(lanewise_sfpi::Instruction(lanewise_sfpi::kSfpMul24,
                                         half == FractionalHalf::Low ? lower : upper)
                  .va(a.get())
                  .vb(b.get())
                  .vc(zero));
}

/// A new random number in every enabled lane. Release 7.71 and before have it on Blackhole only.
template <int dependent = 0>
inline vInt rand() {
  static_assert(impl_::available<impl_::Chip::random_numbers, dependent>,
                "SFPI has rand() on Blackhole only; on Wormhole write TTI_SFPMOV(0, 9, lreg, 8)");
  const unsigned special = 8;   // SFPMOV_MOD1_CONFIG: VC is no LReg, but
  const int random_numbers = 9; // SFPCONFIG_SRC_RAND
  return vInt(
      lanewise_sfpi::unary(lanewise_sfpi::kSfpMov, special,
                           lanewise_sfpi::leaf(LanewiseKind::ConstRegister, random_numbers)));
}

} // namespace sfpi
