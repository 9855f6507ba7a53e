// e^x for every element of a tile, as exactly as bf16 can have it.
//
//   ./lanewise run examples/exp.cpp --in ramp
//   ./lanewise sweep examples/exp.cpp --ref 'exp(x)' --arch bh,wh
//
// Method: e^x = 2^(x log2(e)). The product is split into a whole number and a fraction
// (elementary.h), after it has been kept within the exponents that a normal number can have: what
// lies above 128 becomes infinity, what lies below -126 becomes zero. examples/exp_approximate.cpp
// needs a quarter of the instructions.
#include <limits>

#include "elementary.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vFloat y = x * 1.442695f; // log2(e)
    vFloat bounded = y;
    vFloat lowest = -126.0f, highest = 127.99f;
    vec_min_max(lowest, bounded);
    vec_min_max(bounded, highest);
    vFloat result = power_of_two(bounded);
    v_if (y >= 128.0f) {
      result = std::numeric_limits<float>::infinity();
    }
    v_elseif (y < -126.0f) {
      result = 0.0f;
    }
    v_endif;
    dst_reg[0] = rounded_to_bf16(result);
    dst_reg++;
  }
}
