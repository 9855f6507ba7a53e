// Kernels for Grayskull: the examples of the first developer reference (seed 004), and what only
// this chip has.
#include <cstdlib>
#include <type_traits>

#include "sfpi.h"

// Names that SFPI has on later chips only: here they are those of this file.
struct Absent {};
inline constexpr Absent CREG_IDX_PRGM0, SFPMUL24_MOD1_UPPER, SFPLOAD_MOD0_FMT_INT32_TO_SM;

namespace sfpi {

static_assert(std::is_same_v<decltype(CREG_IDX_PRGM0), const Absent>);
static_assert(std::is_same_v<decltype(SFPMUL24_MOD1_UPPER), const Absent>);
static_assert(std::is_same_v<decltype(SFPLOAD_MOD0_FMT_INT32_TO_SM), const Absent>);
static_assert(CREG_IDX_0P692871094 == 5);
static_assert(SFPLOAD_MOD0_REBIAS_EXP == 1);
static_assert(SFPMAD_MOD1_OFFSET_NEGH == 3);
static_assert(SFP_DESTREG_MAX_ADDR == 256);

} // namespace sfpi

using namespace sfpi;

namespace {

vInt is_fp16_zero(const vFloat& v, unsigned exponent_size_8) {
  if (exponent_size_8) return v == 0.0F;
  vInt tmp = 0x3800; // exponent 14, no mantissa
  tmp += reinterpret<vInt>(v);
  return tmp == 0;
}

void silly(bool take_abs) {
  vFloat a = dst_reg[0] + 2.0F;
  dst_reg[3] = a * -dst_reg[1] + vConst0p6929 + 0.5F;
  dst_reg[4] = a * dst_reg[1] + 1.2F;
  dst_reg[4] = a * 1.5F + 1.2F;
  const int value = 0x4100;
  vFloat tmp = s2vFloat16a(value);
  dst_reg[5] = a * tmp + 1.2F;
  v_if ((a >= 4.0F && a < 8.0F) || (a >= 12.0F && a < 16.0F)) {
    vInt b = exexp_nodebias(a);
    b &= 0xAA;
    v_if (b >= 130) {
      dst_reg[6] = setexp(a, 127);
    }
    v_endif;
  }
  v_elseif (a == s2vFloat16a(3.0F)) {
    if (take_abs) {
      dst_reg[7] = abs(a);
    } else {
      dst_reg[7] = a;
    }
  }
  v_else {
    vInt exp = lz(a) - 19;
    exp = ~exp;
    dst_reg[8] = -setexp(a, exp);
  }
  v_endif;
}

} // namespace

void seed_silly_with_abs() {
  silly(true);
}

void seed_silly_without_abs() {
  silly(false);
}

void seed_block() {
  vFloat v1 = dst_reg[0];
  vFloat v2 = dst_reg[1];
  v_block {
    for (int x = 0; x < 4; x++) {
      v1 = v1 - 1;
      v_and(v1 >= 0.0F);
      v2 *= 2;
    }
  }
  v_endblock;
  dst_reg[2] = v2;
}

void seed_immediates() {
  vFloat x = 1.0f;
  x = x + 500000.0f;
  x = x * s2vFloat16a(3.0F);
  const unsigned int ui = 0x3c00;
  x = x + s2vFloat16a(ui);
  const float f = 1.0F;
  dst_reg[0] = x - s2vFloat16a(f);
}

void seed_zero_of_eight_bits() {
  vFloat v = dst_reg[0];
  v_if (is_fp16_zero(v, 1)) {
    dst_reg[1] = vConst1;
  }
  v_endif;
}

void seed_zero_of_five_bits() {
  vFloat v = dst_reg[0];
  v_if (is_fp16_zero(v, 0)) {
    dst_reg[1] = vConst1;
  }
  v_endif;
}

void seed_lregs() {
  vFloat x = l_reg[LRegs::LReg1];
  vFloat y = x + 2.0f;
  dst_reg[0] = y;
  l_reg[LRegs::LReg1] = x;
}

void seed_pressure() {
  dst_reg[0] = dst_reg[0] + dst_reg[1];
}

void sum_plus_half() {
  dst_reg[2] = dst_reg[0] + dst_reg[1] + 0.5F;
}

void product_minus_half() {
  dst_reg[2] = dst_reg[0] * dst_reg[1] - 0.5F;
}

void all_plus_half() {
  dst_reg[3] = dst_reg[0] * dst_reg[1] + dst_reg[2] + 0.5F;
}

void half_inside() {
  dst_reg[3] = dst_reg[0] * dst_reg[1] + 0.5F + dst_reg[2];
}

void exclusive_or() {
  const vInt a = exexp(dst_reg[0]);
  vInt b = exexp(dst_reg[1]);
  dst_reg[2] = a ^ b;
  b ^= 0x55;
  dst_reg[3] = b;
}

void tables() {
  vUInt l0 = 0x1020, l1 = 0x2130, l2 = 0xFF10;
  dst_reg[1] = lut(dst_reg[0], l0, l1, l2);
  dst_reg[2] = lut(dst_reg[0], l0, l1, l2, 1);
  dst_reg[3] = lut_sign(dst_reg[0], l0, l1, l2, -1);
}

void constants() {
  dst_reg[1] = vConst0p6929 * dst_reg[0] + vConstNeg1p0068;
  dst_reg[2] = vConst1p4424 * dst_reg[0] + vConst0p8369;
  dst_reg[3] = vConstNeg0p5 * dst_reg[0] + vConst0p0020;
  dst_reg[4] = vConstNeg0p6748 * dst_reg[0] + vConstNeg0p3447;
  dst_reg[5] = vConstTileId;
}

void fields() {
  vFloat v = dst_reg[0];
  dst_reg[1] = setman(v, 3);
  dst_reg[2] = setman(v, exman9(v));
  dst_reg[3] = addexp(v, -2);
  dst_reg[4] = setsgn(v, vFloat(dst_reg[1]));
  dst_reg[5] = abs(exexp(v));
  dst_reg[6] = shft(vUInt(exman8(v)), exexp(v));
  dst_reg[7] = vUInt(exman8(v)) >> 3;
}

void comparisons() {
  const vFloat a = dst_reg[0];
  const vFloat b = dst_reg[1];
  v_if (a < b) {
    dst_reg[2] = vConst1;
  }
  v_elseif (a == b) {
    dst_reg[2] = vConst0;
  }
  v_else {
    dst_reg[2] = vConstNeg1;
  }
  v_endif;
  v_if (a <= b || a > 2.0F) {
    dst_reg[3] = a;
  }
  v_endif;
  v_if (exexp(a) <= exexp(b)) {
    dst_reg[4] = b;
  }
  v_endif;
}

void next_rows() {
  for (int row = 0; row < 4; ++row) {
    dst_reg[0] = dst_reg[0] * 2.0F;
    dst_reg++;
  }
}

/// One vector more than there are registers.
void five_registers() {
  const vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2], d = dst_reg[3], e = dst_reg[4];
  dst_reg[5] = a * b;
  dst_reg[6] = c * d;
  dst_reg[7] = e * a;
  dst_reg[8] = b * c;
  dst_reg[9] = d * e;
}
