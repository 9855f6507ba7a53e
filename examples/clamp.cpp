// Each element between -1 and 1, without a predicate: SFPSWAP leaves the smaller number in one
// register and the larger in the other.
//
//   ./lanewise run examples/clamp.cpp --in ramp:-2:2
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  vFloat lowest, highest;
  for (int row = 0; row < 32; ++row) {
    vFloat x = dst_reg[0];
    lowest = -1.0f;
    highest = 1.0f;
    vec_min_max(lowest, x);  // x = max(-1, x)
    vec_min_max(x, highest); // x = min(x, 1)
    dst_reg[0] = x;
    dst_reg++;
  }
}
