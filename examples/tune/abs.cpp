// |x|. A plain source for 'lanewise tune'.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    dst_reg[0] = sfpi::abs(x);
    dst_reg++;
  }
}
