// The sigmoid on Grayskull: three straight lines for |x|, with the sign of x, and 0.5 on top.
//
//   ./lanewise run examples/grayskull/sigmoid.cpp --arch gs --in ramp
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  // Slope and intercept of 8 bits each, where |x| < 1, where it is < 2, and beyond
  // (docs/grayskull.md).
  const vUInt first = 0x3EFF;  // 0.234375 |x|
  const vUInt second = 0x3346; // 0.1484375 |x| + 0.0859375
  const vUInt third = 0xFF2E;  // 0.46875
  // A register has 64 lanes, so that a tile of 1,024 elements has 16 rows.
  for (int row = 0; row < 16; ++row) {
    dst_reg[0] = lut(dst_reg[0], first, second, third) + 0.5F;
    dst_reg++;
  }
}
