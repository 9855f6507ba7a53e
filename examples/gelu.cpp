// gelu(x) = x * Phi(x), where Phi is the normal distribution, for every element of a tile.
//
//   ./lanewise run examples/gelu.cpp --in ramp:-4:4
//   ./lanewise sweep examples/gelu.cpp --ref 'gelu(x)' --arch bh,wh
//
// Method: with t = |x|, the tail Q(t) = 1 - Phi(t) is e^(-t^2/2) times a slowly varying factor, a
// polynomial in u = 1 / (1 + 0.26 t). Then gelu is x Q(t) for negative x and x (1 - Q(t))
// otherwise, so that the small values far on the left keep their precision. (x - x Q(t) would be a
// step less, and wrong where x Q(t) is too small for a normal number and x is not.)
#include "elementary.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) { // 32 elements at a time
    const vFloat x = dst_reg[0];
    const vFloat t = setsgn(x, 0);
    const vFloat u = reciprocal_of(t * 0.26f + 1.0f);
    // Q(t) e^(t^2/2) for t up to 14: the coefficients of least relative error, 8e-5.
    const vFloat factor =
        ((((0.17029031f * u + 0.0049320334f) * u + 0.11981448f) * u + 0.10126272f) * u +
         0.10374018f) *
        u;
    const vFloat bell = power_of_two(t * t * -0.72134752f); // e^(-t^2/2) = 2^(-t^2/2 log2(e))
    // The bell goes last: far on the left Q(t) alone is too small for a normal number.
    vFloat y = x * factor * bell;
    vFloat tail = factor * bell;
    // From here on x Q(t) is below 2^-126, where bf16 has no normal numbers.
    v_if (t >= 13.1875f) {
      y = 0.0f;
      tail = 0.0f;
    }
    v_endif;
    v_if (x >= 0.0f) {
      y = x * (1.0f - tail);
    }
    v_endif;
    dst_reg[0] = rounded_to_bf16(y);
    dst_reg++;
  }
}
