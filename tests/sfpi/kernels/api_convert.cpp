// Library: conversions. Rounding is to nearest, but for one kernel, which draws random numbers.
#include "sfpi.h"

using namespace sfpi;

void api_casts() {
  vInt n = dst_reg[0];
  dst_reg[1] = int32_to_float(n, 0);
  dst_reg[2] = int_to_float(n, RoundMode::Nearest);
  vFloat x = dst_reg[0];
  dst_reg[3] = float_to_fp16a(x, 0);
  dst_reg[4] = float_to_fp16b(x, RoundMode::NearestEven);
  dst_reg[5] = float_to_uint8(x, 0);
  dst_reg[6] = float_to_int8(x, 0);
  dst_reg[7] = float_to_uint16(x, 0);
  dst_reg[8] = float_to_int16(x, 0);
#if defined(ARCH_BLACKHOLE)
  dst_reg[9] = float_to_fp16b(x, 2);
  dst_reg[10] = float_to_int16(x, RoundMode::Zero);
#endif
}

/// What becomes an integer vector is taken, too.
void api_casts_of_others() {
  vUInt n = dst_reg[0];
  dst_reg[1] = int32_to_float(n, 0);
  dst_reg[2] = int32_to_float(dst_reg[0], 0);
  dst_reg[3] = int32_to_float(vConstTileId, 0);
  dst_reg[4] = int32_to_float(n > 5U, 0);
  dst_reg[5] = int32_to_float(5, 0);
  dst_reg[6] = int_to_float(vConstTileId, 0);
  const int mode = RoundMode::Nearest;
  dst_reg[7] = float_to_fp16b(dst_reg[0], mode);
}

void api_stochastic_casts() {
  vInt n = dst_reg[0];
  dst_reg[1] = int32_to_float(n);
  vFloat x = dst_reg[0];
  dst_reg[2] = float_to_fp16a(x);
  dst_reg[3] = float_to_fp16b(x, 1);
  dst_reg[4] = float_to_int8(x, RoundMode::Stochastic);
}

void api_descaling() {
  vInt n = dst_reg[0];
  vUInt scale = dst_reg[1];
  scale &= 31;
  dst_reg[2] = int32_to_uint8(n, 4U, 0);
  dst_reg[3] = int32_to_int8(n, 7, 0);
  dst_reg[4] = int32_to_uint8(n, scale, 0);
  dst_reg[5] = int32_to_int8(n, scale, 0);
}

void api_converting_floats() {
  vFloat x = dst_reg[0];
  vFloat16a a = convert<vFloat16a>(x, RoundMode::Nearest);
  dst_reg[1] = a;
  vFloat16b b = convert<vFloat16b>(x, RoundMode::Nearest);
  dst_reg[2] = b;
  dst_reg[3] = convert<vUInt16>(x, RoundMode::Nearest);
  dst_reg[4] = convert<vSMag16>(x, RoundMode::Nearest);
  dst_reg[5] = convert<vSMag8>(x, RoundMode::Nearest);
  dst_reg[6] = convert<vUInt8>(x, RoundMode::Nearest);
}

void api_converting_integers() {
  vInt n = dst_reg[0];
  n = n & 0xFFFF;
  n = n - 0x7FFF;
  vSMag s = convert<vSMag>(n);
  dst_reg[1] = s;
  dst_reg[2] = convert<vInt>(s);
  dst_reg[3] = convert<vFloat>(s, RoundMode::Nearest);
  dst_reg[4] = convert<vFloat>(n, RoundMode::Nearest);
  vMag m = abs(s);
  dst_reg[5] = m;
  dst_reg[6] = convert<vFloat>(m, RoundMode::Nearest);
  dst_reg[7] = convert<vInt>(m);
}

void api_narrowed_types() {
  vUInt16 h = dst_reg[0];
  dst_reg[1] = h;
  vMag m(5);
  dst_reg[2] = m >> 1;
  dst_reg[3] = m & 4;
  vInt n = m;
  dst_reg[4] = n + m;
  dst_reg[5] = vUInt(7) - m;
  vSMag s = dst_reg[6];
  dst_reg[7] = s & 0xFFU;
  vInt same = s == 3;
  dst_reg[8] = same;
  vFloat16b b(sFloat16b(1.5F));
  dst_reg[9] = b + 1.0F;
}
