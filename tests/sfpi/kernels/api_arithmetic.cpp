// Floats: where they come from, and every operator on them. One result per row of Dst, so that few
// vectors live at a time.
#include "sfpi.h"

using namespace sfpi;

void api_float_scalars() {
  vFloat x = dst_reg[0];
  dst_reg[1] = x + 1.5F;
  dst_reg[2] = x + 2.25;
  dst_reg[3] = x + 3;
  dst_reg[4] = x + 4U;
  dst_reg[5] = x + 5L;
  dst_reg[6] = x + 6UL;
  dst_reg[7] = 1.5F - x;
  dst_reg[8] = 2 - x;
  dst_reg[9] = x - 0.1F;
  dst_reg[10] = 3.0 * x;
  dst_reg[11] = x * -7;
  dst_reg[12] = 0.333F + x;
}

void api_float_vectors() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[1];
  dst_reg[2] = x + y;
  dst_reg[3] = x - y;
  dst_reg[4] = x * y;
  dst_reg[5] = x * y + 0.5F;
  dst_reg[6] = x * y - x;
  dst_reg[7] = -x;
  dst_reg[8] = +y;
  dst_reg[9] = -(x * y) + y;
}

void api_float_assignments() {
  vFloat x = dst_reg[0];
  x += 1.0F;
  x -= 0.25;
  x *= 3;
  x += dst_reg[1];
  x -= x * x;
  x *= vConst0p8373;
  dst_reg[2] = x;
  vFloat y = x++;
  vFloat z = ++x;
  dst_reg[3] = y + z;
  y = x--;
  z = --x;
  dst_reg[4] = y - z;
  dst_reg[5] = x;
}

void api_dst_operands() {
  vFloat x = dst_reg[0];
  dst_reg[1] = dst_reg[2] + x;
  dst_reg[3] = x * dst_reg[2];
  dst_reg[4] = dst_reg[2] - dst_reg[0];
  dst_reg[5] = dst_reg[2] * 2.0F;
  dst_reg[6] = 1 + dst_reg[2];
  dst_reg[7] = -dst_reg[2];
  dst_reg[8] = dst_reg[2];
  dst_reg[9] = 1.25F;
  dst_reg[10] = 1.25;
  dst_reg[11] = dst_reg[12] = x;
}

void api_float_constants() {
  vFloat x = dst_reg[0];
  dst_reg[1] = x + vConst0;
  dst_reg[2] = x * vConst1;
  dst_reg[3] = vConstNeg1 * x;
  dst_reg[4] = vConst0p8373 - x;
  dst_reg[5] = vConst1;
  dst_reg[6] = vConst1 + 0.5F;
  dst_reg[7] = -vConst0p8373;
  vFloat y = vConstNeg1;
  y = vConst0p8373;
  dst_reg[8] = y;
}

void api_half_scalars() {
  vFloat x = dst_reg[0];
  dst_reg[1] = x * sFloat16b(0.79788F);
  dst_reg[2] = x * sFloat16b(0.79788);
  dst_reg[3] = x + sFloat16b(0x3FC0);
  dst_reg[4] = x + sFloat16a(0x3C00U);
  dst_reg[5] = x + s2vFloat16a(3.0F);
  dst_reg[6] = x + s2vFloat16a(-0.1);
  dst_reg[7] = x + s2vFloat16b(3.0F);
  dst_reg[8] = s2vFloat16b(1.0F).negate();
  vFloat zero = sFloat16a(0);
  dst_reg[9] = zero;
  vFloat y = sFloat16b(0xBF80L);
  dst_reg[10] = y;
}

namespace {

sfpi_inline vFloat quarter(vFloat x) {
  x = x * 0.25F;
  return x;
}

} // namespace

void api_values_and_variables() {
  const vFloat x = dst_reg[0];
  vFloat copy = x;
  copy = copy + 1.0F;
  dst_reg[1] = x;
  dst_reg[2] = copy;
  dst_reg[3] = quarter(copy);
  dst_reg[4] = copy;
  vFloat from_raw = copy.get();
  __rvtt_vec_t raw = from_raw.get();
  dst_reg[5] = vFloat(raw);
  vFloat unset;
  unset = x;
  dst_reg[6] = unset;
}
