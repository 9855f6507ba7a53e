// Library: fields of floats, signs, leading zeros, shifts.
#include "sfpi.h"

using namespace sfpi;

void api_reading_fields() {
  vFloat x = dst_reg[0];
  dst_reg[1] = exexp(x);
  dst_reg[2] = exexp_nodebias(x);
  dst_reg[3] = exexp(x, ExponentMode::Biased);
  dst_reg[4] = exman8(x);
  dst_reg[5] = exman9(x);
  dst_reg[6] = exman(x, MantissaMode::WithUnitBit);
  dst_reg[7] = exsgn(x);
  dst_reg[8] = lz(x);
  dst_reg[9] = lz_nosgn(x);
  dst_reg[10] = lz(reinterpret<vInt>(x), LZMode::IgnoreSign);
}

void api_exponents() {
  vFloat x = dst_reg[0];
  vInt e = exexp_nodebias(x);
  vUInt u = e;
  dst_reg[1] = setexp(x, 127);
  dst_reg[2] = setexp(x, 126U);
  dst_reg[3] = setexp(x, e);
  dst_reg[4] = setexp(x, u);
  dst_reg[5] = copyexp(vConst0p8373, x);
  dst_reg[6] = addexp(x, 1);
  dst_reg[7] = addexp(x, -1);
  dst_reg[8] = ldexp(x, 2);
  dst_reg[9] = ldexp(x, e & 1);
  dst_reg[10] = ldexp(x, e & 1, LdexpMode::Fast);
}

void api_mantissas_and_signs() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[20];
  vInt n = reinterpret<vInt>(y);
  dst_reg[1] = setman(x, 0x800);
  dst_reg[2] = setman(x, n);
  dst_reg[3] = setman(x, vUInt(n));
  dst_reg[4] = copyman(x, y);
  dst_reg[5] = setsgn(x, 0);
  dst_reg[6] = setsgn(x, 1U);
  dst_reg[7] = setsgn(x, y);
  dst_reg[8] = setsgn(x, n);
  dst_reg[9] = setsgn(n, 1);
  dst_reg[10] = copysgn(x, n);
  dst_reg[11] = setsgn2(x, n);
  dst_reg[12] = abs(x);
  dst_reg[13] = abs(n);
}

void api_library_shifts() {
  vUInt x = dst_reg[0];
  vInt amount = dst_reg[20];
  amount &= 31;
  dst_reg[1] = shft(x, 4);
  dst_reg[2] = shft(x, -4);
  dst_reg[3] = shft(x, amount);
  dst_reg[4] = shft(x, -amount);
  vInt y = x;
#if defined(ARCH_BLACKHOLE) || LANEWISE_SFPI_EPOCH < 759
  dst_reg[5] = shft(y, 3);
  dst_reg[6] = shft(y, -3);
  dst_reg[7] = shft(y, amount);
#endif
  dst_reg[8] = shft(y, -3, ShiftMode::Logical);
#if defined(ARCH_BLACKHOLE)
  dst_reg[9] = shft(y, -3, ShiftMode::Arithmetic);
  dst_reg[10] = shft(y, -amount, ShiftMode::Arithmetic);
#endif
}

namespace {

sfpi_inline void mark(int row, vBool condition) {
  vInt holds = condition;
  dst_reg[row] = holds;
}

} // namespace

void api_classes() {
  vFloat x = dst_reg[0];
  mark(1, is_zero(x));
  mark(2, is_nan(x));
  mark(3, is_inf(x));
  mark(4, is_finite(x));
  mark(5, is_normal(x));
  mark(6, is_subnormal(x));
  mark(7, is_pos(x));
  mark(8, is_neg(x));
}
