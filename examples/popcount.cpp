// The number of one bits in each 32-bit integer: whole-number arithmetic, shifts and masks.
//
//   ./lanewise run examples/popcount.cpp --in bits --format uint32
//
// Method (Warren, "Hacker's Delight", 5-1): bits are added in pairs, the sums in fours, and so on.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    vUInt v = dst_reg[0];
    v = v - ((v >> 1) & 0x55555555);
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333);
    v = (v + (v >> 4)) & 0x0F0F0F0F;
    v = v + (v >> 8);
    v = (v + (v >> 16)) & 0x3F;
    dst_reg[0] = v;
    dst_reg++;
  }
}
