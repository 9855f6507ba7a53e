// tanh(x) for every element of a tile.
//
//   ./lanewise run examples/tanh.cpp --in ramp:-4:4
//   ./lanewise sweep examples/tanh.cpp --ref 'tanh(x)' --arch bh,wh
//
// Method: with t = e^(-2|x|), tanh|x| = (1 - t) / (1 + t). Near zero 1 - t would lose its digits;
// there x - x^3/3 is good enough.
#include "elementary.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    vFloat y = setsgn(x, 1) * 2.88539f; // -2 |x| log2(e)
    vFloat lowest = -30.0f;             // t is then far below half an ULP of 1
    vec_min_max(lowest, y);
    const vFloat t = power_of_two(y);
    vFloat result = (1.0f - t) * reciprocal_of(1.0f + t);
    result = setsgn(result, x);
    v_if (setsgn(x, 0) < 0.0625f) {
      result = x + x * x * x * -0.33333334f;
    }
    v_endif;
    dst_reg[0] = rounded_to_bf16(result);
    dst_reg++;
  }
}
