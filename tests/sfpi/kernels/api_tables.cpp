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
