// What goes into an LReg for raw words is loaded straight into it, in every row: behind an SFPENCC that sets all flags, nothing is kept of the row before.
// run: --dump allocate -fno-replay
#include "sfpi.h"
#include "ckernel_ops.h"
using namespace sfpi;

void kernel() {
  for (int row = 0; row < 2; ++row) {
    l_reg[LRegs::LReg0] = static_cast<vFloat>(dst_reg[0]);
    TTI_SFPLOADI(1, 2, 5);
    TTI_SFPSETCC(0, 0, 0, 0); // negative lanes
    TTI_SFPIADD(0, 0, 1, 4);
    TTI_SFPENCC(0, 0, 0, 0);
    TTI_SFPAND(0, 0, 1, 0);
    dst_reg[0] = static_cast<vFloat>(l_reg[LRegs::LReg1]);
    dst_reg++;
  }
}
// expected:
// -- bh
// --- bh: allocate
//     0  SFPLOAD VD=L0 imm=0 mod=0
//     1  raw SFPLOADI L1, 2, 0x5
//     2  raw SFPSETCC 0, L0, 0, 0
//     3  raw SFPIADD 0, L0, L1, 4
//     4  raw SFPENCC 0, 0, 0
//     5  raw SFPAND L0, L0, L1, 0
//     6  SFPSTORE VD=L1 imm=0 mod=0
//     7  raw INCRWC 0, 0, 0, 2, 0, 0
//     8  SFPLOAD VD=L0 imm=0 mod=0
//     9  raw SFPLOADI L1, 2, 0x5
//    10  raw SFPSETCC 0, L0, 0, 0
//    11  raw SFPIADD 0, L0, L1, 4
//    12  raw SFPENCC 0, 0, 0
//    13  raw SFPAND L0, L0, L1, 0
//    14  SFPSTORE VD=L1 imm=0 mod=0
//    15  raw INCRWC 0, 0, 0, 2, 0, 0
// -- wh
// --- wh: allocate
//     0  SFPLOAD VD=L0 imm=0 mod=0
//     1  raw SFPLOADI L1, 2, 0x5
//     2  raw SFPSETCC 0, L0, 0, 0
//     3  raw SFPIADD 0, L0, L1, 4
//     4  raw SFPENCC 0, 0, 0
//     5  raw SFPAND L0, L1
//     6  SFPSTORE VD=L1 imm=0 mod=0
//     7  raw INCRWC 0, 0, 0, 2, 0, 0
//     8  SFPLOAD VD=L0 imm=0 mod=0
//     9  raw SFPLOADI L1, 2, 0x5
//    10  raw SFPSETCC 0, L0, 0, 0
//    11  raw SFPIADD 0, L0, L1, 4
//    12  raw SFPENCC 0, 0, 0
//    13  raw SFPAND L0, L1
//    14  SFPSTORE VD=L1 imm=0 mod=0
//    15  raw INCRWC 0, 0, 0, 2, 0, 0
