// The small kernels whose code is documented (SFPI reference 2.6), one function each; the number is
// that of the row. tests/sfpi/small_cases_test.cpp says what has to come out.
#include <cstdlib>

#include "sfpi.h"

using namespace sfpi;

void case_1() {
  dst_reg[0] = dst_reg[0] + dst_reg[0];
}

void case_2() {
  vFloat x = 1.0f;
  dst_reg[0] = x + 1.0f;
}

void case_3() {
  vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2];
  dst_reg[3] = a * b + c;
}

void case_4() {
  vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2];
  vFloat t = a * b;
  vFloat d = c + t;
  dst_reg[0] = t;
  dst_reg[1] = d;
}

void case_5() {
  vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2], d = dst_reg[3];
  vFloat e = a * b;
  v_if (a == 0.0f) {
    d = e + c;
  }
  v_endif;
  dst_reg[3] = d;
}

void case_6() {
  vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2], d = dst_reg[3];
  v_if (a == 0.0f) {
    vFloat t = a * b;
    d = t + c;
  }
  v_endif;
  dst_reg[3] = d;
}

void case_7() {
  vFloat x = dst_reg[0];
  vFloat y = x * 2.0f;
  dst_reg[1] = x;
  dst_reg[0] = y;
}

void case_8() {
  vFloat a = 3.2f;
  dst_reg[0] = a + 1.0f;
}

void case_9() {
  vInt a = 3;
  a = a - 5;
  v_if (a < 0) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
}

void case_10() {
  vInt a = dst_reg[0], b = dst_reg[1];
  v_if (a - 5 < 0 && b == 6) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
}

void case_11_negative() {
  vInt b = exexp(dst_reg[0]);
  v_if (b < 0) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
}

void case_11_not_negative() {
  vInt b = exexp(dst_reg[0]);
  v_if (b >= 0) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
}

void case_12_zero() {
  vInt a = dst_reg[0];
  vInt b = lz(a);
  v_if (a == 0) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
  dst_reg[1] = b;
}

void case_12_not_zero() {
  vInt a = dst_reg[0];
  vInt b = lz(a);
  v_if (a != 0) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
  dst_reg[1] = b;
}

void case_13() {
  vInt a = dst_reg[0];
  v_if (a >= 1) {
    v_if (a >= 2) {
      a = 3;
    }
    v_endif;
  }
  v_endif;
  dst_reg[0] = a;
}

void case_14() {
  vInt a = dst_reg[0], b = dst_reg[1];
  v_if (a >= 1) {
    v_if (a >= 2) {
      a = 3;
    }
    v_endif;
    b = 4;
  }
  v_endif;
  dst_reg[0] = a;
  dst_reg[1] = b;
}

void case_15() {
  vInt a = dst_reg[0];
  v_if (a >= 1) {
    v_if (a >= 2) {
      a = 3;
    }
    v_else {
      a = 4;
    }
    v_endif;
  }
  v_endif;
  dst_reg[0] = a;
}

void case_16() {
  vInt a = dst_reg[0], b = dst_reg[1];
  v_if (a < 1) {
    b = 11;
  }
  v_elseif (a < 2) {
    b = 12;
  }
  v_elseif (a < 3) {
    b = 13;
  }
  v_elseif (a < 4) {
    b = 14;
  }
  v_elseif (a < 5) {
    b = 15;
  }
  v_endif;
  dst_reg[1] = b;
}

void case_17() {
  vFloat v = dst_reg[0];
  v_if (v != 0.0f || v <= 0.0f) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
}

void case_18() {
  vFloat v = dst_reg[0];
  v_if (v >= 0.0f && v != 0.0f) {
    dst_reg[0] = 1.0f;
  }
  v_endif;
}

void case_19() {
  vFloat v = dst_reg[0];
  vInt y = v >= 0.0f;
  dst_reg[0] = y;
}

void case_20() {
  vFloat a = dst_reg[0], b = dst_reg[1];
  v_if (a < 0.0f) {
    b = a;
  }
  v_endif;
  dst_reg[0] = b;
  dst_reg[1] = a;
}

void case_21_one() {
  vInt x = dst_reg[0], y = dst_reg[1];
  vInt z = x & y;
  dst_reg[0] = z;
  dst_reg[1] = x;
}

void case_21_both() {
  vInt x = dst_reg[0], y = dst_reg[1];
  vInt z = x & y;
  dst_reg[0] = z;
  dst_reg[1] = x;
  dst_reg[2] = y;
}

void case_22() {
  vFloat x = dst_reg[0];
  vInt y = dst_reg[1];
  vFloat z = setexp(x, y);
  dst_reg[0] = z;
  dst_reg[1] = y;
}

void case_23() {
  vUInt l0 = l_reg[LRegs::LReg0], l1 = l_reg[LRegs::LReg1], l2 = l_reg[LRegs::LReg2];
  vFloat in = dst_reg[0];
  vFloat out = lut(in, l0, l1, l2);
  dst_reg[0] = out;
  dst_reg[1] = in;
}

void case_24_four() {
  for (int i = 0; i < 4; ++i) {
    vFloat x = dst_reg[0];
    dst_reg[0] = addexp(x, 3);
  }
}

void case_24_twelve() {
  for (int i = 0; i < 12; ++i) {
    vFloat x = dst_reg[0];
    dst_reg[0] = addexp(x, 3);
  }
}

void case_25() {
  vFloat v[9];
  for (int i = 0; i < 9; ++i) v[i] = dst_reg[i];
  for (int i = 0; i < 9; ++i) dst_reg[i] = v[8 - i];
}

void case_27() {
  vFloat x = dst_reg[0];
  vFloat two = 2.0f;
  dst_reg[0] = x * -two;
}

void case_28() {
  vFloat v = dst_reg[0];
  v_if (v == 0.5f) {
    v = 1.0f;
  }
  v_endif;
  dst_reg[0] = v;
}

void case_30() {
  vFloat a = dst_reg[0], b = dst_reg[1];
  v_if (a < b) {
    v_if (a < 5.0f) {
      a = 6.0f;
    }
    v_endif;
  }
  v_else {
    b = 5.0f;
  }
  v_endif;
  dst_reg[0] = a;
  dst_reg[1] = b;
}

void case_31() {
  v_block {}
  v_endblock;
}

void case_32() {
  vFloat x = dst_reg[0];
  x *= 0.0f;
  x *= 1.0f;
  x *= -1.0f;
  x *= 3.0f;       // FP16b
  x *= 3.0039062f; // FP16a: 11 bits of mantissa
  x *= 3.2f;       // all of FP32
  dst_reg[0] = x;
}

void case_33() {
  const unsigned numbers[] = {1,          0x10000, 0x40000000, 0x7fffffff,
                              0xffff8000, 0x7fff,  0x8000,     0xffffffff};
  int place = 0;
  for (unsigned number : numbers) {
    vUInt x = number;
    dst_reg[place++] = x;
  }
}

#if LANEWISE_SFPI_EPOCH >= 748
void case_34() {
  vInt x = dst_reg[0];
  dst_reg[0] = convert<vSMag>(x);
}
#endif

void case_immediates() {
  vFloat x = dst_reg[0], y = dst_reg[1];
  dst_reg[0] = x * 3.0f + y;
}

/// A sum that a constant moves to where its lowest bits are whole numbers, and back.
void case_shared_bias() {
  vFloat x = dst_reg[0], y = dst_reg[1];
  vFloat bias = 12582912.0f;
  vFloat sum = __builtin_rvtt_sfpmad(x.get(), y.get(), bias.get(), 0);
  vInt bits = reinterpret<vInt>(sum);
  dst_reg[0] = sum - bias;
  dst_reg[1] = bits;
}

void case_shared_factor() {
  vFloat x = dst_reg[0], y = dst_reg[1];
  vFloat quarter = -0.25f;
  vFloat sum = __builtin_rvtt_sfpmad(quarter.get(), x.get(), y.get(), 0);
  dst_reg[0] = quarter * sum;
  dst_reg[1] = sum;
}

void case_from_literal() {
  vFloat x = dst_reg[0];
  dst_reg[0] = 3.0f - x;
  dst_reg[1] = x;
}

void case_from_literal_alone() {
  vFloat x = dst_reg[0];
  dst_reg[0] = 3.0f - x;
}

void case_infinity() {
  vFloat x = dst_reg[0];
  dst_reg[0] = x * std::numeric_limits<float>::infinity();
}

/// Each variable gets what another operation than the last one made.
void case_two_variables() {
  vFloat x = dst_reg[0], first = 1.0f, second = 2.0f;
  v_if (x >= 0.0f) {
    vFloat sum = x + first;
    vFloat product = x * second;
    first = sum;
    second = product;
  }
  v_endif;
  dst_reg[0] = first;
  dst_reg[1] = second;
}

void case_sum_for_variable() {
  vFloat x = dst_reg[0], r = dst_reg[1];
  v_if (x >= 0.0f) {
    r = r * x + 3.0f;
  }
  v_endif;
  dst_reg[0] = r;
}

void case_own_sum() {
  vFloat x = dst_reg[0], r = dst_reg[1];
  v_if (x >= 0.0f) {
    r = r + 3.0f;
  }
  v_endif;
  dst_reg[0] = r;
}

void case_exponent_for_variable() {
  vFloat x = dst_reg[0], r = dst_reg[1];
  vInt exponent = exexp(x);
  v_if (x >= 0.0f) {
    r = setexp(x, exponent);
  }
  v_endif;
  dst_reg[0] = r;
  dst_reg[1] = exponent;
}

/// The exponential of LLK counts down so, each time in fewer lanes.
void case_counted_down() {
  vFloat x = dst_reg[0];
  vInt count = exexp(x);
  v_if (count >= 0) {
    count = count - 1;
    v_and(count >= 0);
    x = x * x;
  }
  v_endif;
  dst_reg[0] = x;
}

void case_shift_for_variable() {
  vUInt x = dst_reg[0], r = dst_reg[1], by = dst_reg[2];
  v_if (by == 0) {
    r = shft(x, reinterpret<vInt>(by));
  }
  v_endif;
  dst_reg[0] = r;
  dst_reg[1] = x;
}

void case_pressure() {
  lreg_pressure _;
  case_immediates();
  _(false);
  dst_reg += 2;
  case_immediates();
}

// Not of the reference: what went wrong once.

void case_constant_in_both_arms() {
  vFloat x = dst_reg[0], y = dst_reg[1];
  vFloat c = 3.2f;
  v_if (x < 0.0f) {
    dst_reg[2] = c;
  }
  v_else {
    y = c;
  }
  v_endif;
  dst_reg[1] = y;
}

void case_lreg_behind_a_table() {
  vUInt l0 = 1, l1 = 2, l2 = 3;
  dst_reg[1] = lut(dst_reg[0], l0, l1, l2);
  vFloat x = l_reg[LRegs::LReg0];
  dst_reg[0] = x;
}
