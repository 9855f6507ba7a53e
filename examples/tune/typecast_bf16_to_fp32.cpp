// The bf16 number in the upper half of 32 bits of Dst, as fp32: the lower half becomes 0. A plain
// source for 'lanewise tune --format fp32'.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0].mode<DataLayout::F16b>();
    dst_reg[0].mode<DataLayout::F32>() = x;
    dst_reg++;
  }
}
