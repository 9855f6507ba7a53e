// Operands with a place of their own: SFPLUT's table in LReg[0..2] and its input in LReg[3], which lives on.
// run: --dump allocate
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vUInt near = 0x3DFF, middle = 0x3345, far = 0x7F28;
  vFloat x = dst_reg[0];
  vFloat y = lut(x, near, middle, far);
  dst_reg[0] = y + x;
}
// expected:
// -- bh
// --- bh: allocate
//     0  SFPLOAD VD=L3 imm=0 mod=0
//     1  SFPLOADI VD=L0 imm=15871 mod=2
//     2  SFPLOADI VD=L1 imm=13125 mod=2
//     3  SFPLOADI VD=L2 imm=32552 mod=2
//     4  SFPLUT VD=L0 imm=0 mod=4
//     5  SFPADD VD=L0 VC=L3 VB=L0 VA=L10 imm=0 mod=0
//     6  SFPSTORE VD=L0 imm=0 mod=0
// -- wh
// --- wh: allocate
//     0  SFPLOAD VD=L3 imm=0 mod=0
//     1  SFPLOADI VD=L0 imm=15871 mod=2
//     2  SFPLOADI VD=L1 imm=13125 mod=2
//     3  SFPLOADI VD=L2 imm=32552 mod=2
//     4  SFPLUT VD=L0 imm=0 mod=4
//     5  SFPADD VD=L0 VC=L3 VB=L0 VA=L10 imm=0 mod=0
//     6  SFPSTORE VD=L0 imm=0 mod=0
