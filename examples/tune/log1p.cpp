// log(1 + x) for x > -1. A plain source for 'lanewise tune'.
//
// Method: with 1 + x = 2^e m and m in [1, 2), e log(2) + P(m); P has the least absolute
// error, 8.7e-6. The exponent keeps its bias of 127, which is in the constant of P.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vFloat y = x + 1.0f;
    const vInt exponent = exexp_nodebias(y);
    const vFloat m = setexp(y, 127);
    vFloat p = 0.0311039841f * m + -0.288739708f;
    p = p * m + 1.13062548f;
    p = p * m + -2.46122113f;
    p = p * m + 3.52930431f;
    p = p * m + (-1.94106425f - 127.0f * 0.693147182f);
    dst_reg[0] = int32_to_float(exponent, 0) * 0.693147182f + p;
    dst_reg++;
  }
}
