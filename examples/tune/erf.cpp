// erf(x). A plain source for 'lanewise tune'.
//
// Method: |x| P(|x|) with the polynomial of least relative error on [0, 2.6], 3.9e-4; at most 1
// beyond.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vFloat a = sfpi::abs(x);
    vFloat p = 0.00607836554f * a + -0.0464082399f;
    p = p * a + 0.0963676202f;
    p = p * a + 0.0782553474f;
    p = p * a + -0.431732743f;
    p = p * a + 0.0124209764f;
    p = p * a + 1.12794162f;
    p = sfpi::min(p * a, 1.0f);
    dst_reg[0] = setsgn(p, x);
    dst_reg++;
  }
}
