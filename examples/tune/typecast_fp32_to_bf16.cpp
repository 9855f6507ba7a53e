// x as bf16, ties to even: 32 bits of Dst become bf16 numbers in the same 32 bits. A plain source
// for 'lanewise tune --format fp32'.
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0].mode<DataLayout::F32>();
    dst_reg[0].mode<DataLayout::F32>() = convert<vFloat16b>(x, RoundMode::Nearest);
    dst_reg++;
  }
}
