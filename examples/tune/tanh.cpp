// tanh(x). A plain source for 'lanewise tune'.
//
// Method: |x| P(|x|) with the polynomial of least relative error on [0, 2.9], 9.9e-4; at most 1
// beyond.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vFloat a = sfpi::abs(x);
    vFloat p = 0.00580845331f * a + -0.0662348393f;
    p = p * a + 0.281061475f;
    p = p * a + -0.488369819f;
    p = p * a + 0.0307115393f;
    p = p * a + 0.999010413f;
    p = sfpi::min(p * a, 1.0f);
    dst_reg[0] = setsgn(p, x);
    dst_reg++;
  }
}
