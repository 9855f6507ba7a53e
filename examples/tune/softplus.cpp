// log(1 + e^x). A plain source for 'lanewise tune'.
//
// Method: max(x, 0) + g(|x|) with g(u) = log(1 + e^-u). Its eighth root is a polynomial of least
// relative error on [0, 16], 2.4e-3; below -16 the result stays at g(16) = 1.1e-7.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vFloat u = sfpi::min(sfpi::abs(x), 16.0f);
    vFloat p = 8.21146372e-07f * u + -3.75167389e-05f;
    p = p * u + 0.00053825721f;
    p = p * u + 0.000389291778f;
    p = p * u + -0.0955357189f;
    p = p * u + 0.957537465f;
    p = p * p;
    p = p * p;
    p = p * p;
    dst_reg[0] = sfpi::max(x, 0.0f) + p;
    dst_reg++;
  }
}
