// 1 / x for every element of a tile, by Newton's method.
//
//   ./lanewise run examples/reciprocal.cpp --in ramp:1:4
//   ./lanewise sweep examples/reciprocal.cpp --ref '1 / x' --arch bh,wh
//
// reciprocal_of() in elementary.h has the method. It knows positive, normal numbers of a middle
// size; the sign, zero, infinity and the ends of the range are done here: from 2^126 on the result
// is 0.
#include <limits>

#include "elementary.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vInt exponent = exexp(x); // without bias: -127 for zero, 128 for infinity and NaN
    vFloat result = reciprocal_of(setsgn(x, 0));
    v_if (exponent >= 126) {
      result = 0.0f;
    } // a denormal number
    v_endif;
    v_if (exponent < -126) {
      result = std::numeric_limits<float>::infinity();
    }
    v_endif;
    dst_reg[0] = setsgn(rounded_to_bf16(result), x); // rounding makes a zero positive
    dst_reg++;
  }
}
