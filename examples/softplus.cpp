// softplus(x) = log(1 + e^x) for every element of a tile.
//
//   ./lanewise run examples/softplus.cpp --in ramp
//   ./lanewise sweep examples/softplus.cpp --ref 'softplus(x)' --arch bh,wh
//
// Method: softplus(x) = max(x, 0) + log(1 + t) with t = e^-|x|, which lies in [0, 1], so that
// nothing overflows. examples/softplus.tt is the same by hand.
#include "elementary.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    vFloat y = setsgn(x, 1) * 1.442695f; // -|x| log2(e)
    vFloat lowest = -127.0f;             // 2^-127 is no normal number and counts as 0 from here on
    vec_min_max(lowest, y);
    const vFloat t = power_of_two(y);
    // log(1 + t) on [0, 1]: the coefficients of least relative error, 6.7e-5.
    vFloat result =
        ((((0.043104534f * t + -0.16135991f) * t + 0.3092233f) * t + -0.49777442f) * t + 1.0f) * t;
    v_if (x >= 0.0f) {
      result = result + x;
    }
    v_endif;
    dst_reg[0] = rounded_to_bf16(result);
    dst_reg++;
  }
}
