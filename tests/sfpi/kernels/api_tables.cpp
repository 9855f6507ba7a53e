// Library: tables, approximations, random numbers.
#include "sfpi.h"

using namespace sfpi;

namespace {

// Two fp8 numbers (slope, intercept) or two fp16 numbers, of no particular function.
constexpr unsigned kPair0 = 0x1020, kPair1 = 0x2810, kPair2 = 0x30FF;
constexpr unsigned kHalves0 = 0x3C003800, kHalves1 = 0x34002E00, kHalves2 = 0x2A00B400;

} // namespace

void api_lut() {
  vUInt l0 = kPair0;
  vUInt l1 = kPair1;
  vUInt l2 = kPair2;
  vFloat x = dst_reg[0];
  dst_reg[1] = lut(x, l0, l1, l2);
  dst_reg[2] = lut_sign(x, l0, l1, l2);
}

void api_lut_of_halves() {
  vUInt l0 = kHalves0;
  vUInt l1 = kHalves1;
  vUInt l2 = kHalves2;
  vFloat x = dst_reg[0];
  dst_reg[1] = lut2(x, l0, l1, l2);
  dst_reg[2] = lut2_sign(x, l0, l1, l2);
}

void api_lut_of_floats() {
  vFloat a0 = 1.0F, a1 = 0.5F, a2 = 0.125F;
  vFloat b0 = 0.0F, b1 = 0.5F, b2 = 1.25F;
  vFloat x = dst_reg[0];
  dst_reg[1] = lut2(x, a0, a1, a2, b0, b1, b2);
  x = dst_reg[0];
  dst_reg[2] = lut2_sign(x, a0, a1, a2, b0, b1, b2);
}

void api_lut_of_six() {
  vUInt a01 = kHalves0, a23 = kHalves1, a45 = kHalves2;
  vUInt b01 = kHalves2, b23 = kHalves0, b45 = kHalves1;
  for (int mode = 0; mode < 2; ++mode) {
    dst_reg[1 + mode] = lut2(dst_reg[0], a01, a23, a45, b01, b23, b45, mode);
    dst_reg[3 + mode] = lut2_sign(dst_reg[0], a01, a23, a45, b01, b23, b45, mode);
  }
  dst_reg[5] = lut2(dst_reg[0], a01, a23, a45, b01, b23, b45);
}

#if LANEWISE_SFPI_EPOCH >= 773

void api_tables_of_pairs() {
  vFloat x = dst_reg[0];
  dst_reg[1] = lut(x, vLut8si(0.5F, 0.0F), vLut8si(0.25F, 0.25F), vLut8si(0.0F, 0.75F));
  dst_reg[2] =
      lut(x, vLut8si(0x10, 0xFF), vLut8si(0x20, 0x20), vLut8si(0xFF, 0x18), LutSign::Update);
  dst_reg[3] = lut(x, vLut16si(1.0F, 2.0F), vLut16si(3.0F, 4.0F), vLut16si(5.0F, 6.0F));
  dst_reg[4] = lut<LutMode::Fp32x3>(x, vLut32si(1.1F, 2.0F), vLut32si(3.0F, 4.0F),
                                    sLut32si(5.0F, 6.0F), LutSign::Update);
}

void api_tables_of_six() {
  const sLut16si p0(0.2452F, -0.0004997F), p1(0.2173F, 0.0152F);
  vLut16ss s01 = sLut16ss(p0, p1), s23(0.1262F, 0.0485F), s45(0.0238F, 0.0F);
  vLut16ii i01 = sLut16ii(p0, p1), i23(0.1298F, 0.2998F), i45(0.4998F, 0.5F);
  vFloat x = dst_reg[0];
  dst_reg[1] = lut(x, s01, i01, s23, i23, s45, i45);
  dst_reg[2] = lut<LutMode::Fp16x6_HWM4>(x, s01, i01, s23, i23, s45, i45, LutSign::Update);
}

void api_tables_in_registers() {
  l_reg[LRegs::LReg0] = vLut16ss(2.0F, 1.0F);
  vLut16ss slopes = l_reg[LRegs::LReg0];
  dst_reg[1] = lut(dst_reg[0], slopes, vLut16ii(0.5F, 0.25F), slopes, vLut16ii(1.0F, 1.0F), slopes,
                   vLut16ii(3.0F, 4.0F));
  l_reg[LRegs::LReg0] = slopes;
  l_reg[LRegs::LReg0].used();
}

#endif

#if defined(ARCH_BLACKHOLE)

void api_approximations() {
  vFloat x = dst_reg[0];
  dst_reg[1] = approx_recip(x);
  dst_reg[2] = approx_recip<true>(x);
  dst_reg[3] = approx_recip<false>(x);
  dst_reg[4] = approx_recip(x, RecipMode::All);
  dst_reg[5] = approx_recip(x, RecipMode::IfNegative);
  dst_reg[6] = approx_exp(x);
}

void api_fractional_products() {
  vUInt x = dst_reg[0];
  vUInt y = dst_reg[1];
  dst_reg[2] = fractional_mul(x, y);
  dst_reg[3] = fractional_mul(x, y, FractionalHalf::High);
}

void api_random() {
  dst_reg[0] = rand();
  vInt x = rand();
  dst_reg[1] = x & 0xFF;
}

#endif
