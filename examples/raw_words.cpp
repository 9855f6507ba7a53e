// SFPI beside instructions of one's own: a table for SFPLUT is loaded by TTI_ macros, and SFPI code
// finds it in LRegs.
//
//   ./lanewise run examples/raw_words.cpp --in ramp:-4:4
//
// The table is a rough sigmoid(x) - 1/2, within 0.05: three straight pieces, for |x| below 1, below
// 2, and above. Raw words are not touched and stay in their place; l_reg says in which LReg a
// vector is at a point of the program.
#include "ckernel_ops.h"
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  // Slope and intercept of each piece in the eight bits of SFPLUT: a sign, 3 bits e of the exponent
  // -e, 4 bits of mantissa; FF is zero.
  TTI_SFPLOADI(0, 2, 0x3DFF); // LReg[0], |x| < 1: slope 0.2266, intercept 0
  TTI_SFPLOADI(1, 2, 0x3345); // LReg[1], |x| < 2: slope 0.1484, intercept 0.0820
  TTI_SFPLOADI(2, 2, 0x7F28); // LReg[2], beyond:  slope 0.0151, intercept 0.375

  const vUInt near = l_reg[LRegs::LReg0];
  const vUInt middle = l_reg[LRegs::LReg1];
  const vUInt far = l_reg[LRegs::LReg2];
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    dst_reg[0] = lut(x, near, middle, far) + 0.5f; // lut() gives the result the sign of x
    dst_reg++;
  }
}
