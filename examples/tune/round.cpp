// x rounded to the nearest integer, ties to even. A plain source for 'lanewise tune'.
//
// Method: numbers next to 1.5 * 2^23 are integers, so that adding it rounds.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    const vFloat rounded = x + 12582912.0f;
    dst_reg[0] = rounded - 12582912.0f;
    dst_reg++;
  }
}
