// What repeats is recorded once; a part of a recording is replayed, too. Words of the author's own stay as they are.
// run: -fno-rows -fno-schedule --dump replay
#include "ckernel_ops.h"
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  for (int row = 0; row < 6; ++row) {
    dst_reg[0] = addexp(vFloat(dst_reg[0]), 3);
    dst_reg++;
  }
  for (int i = 0; i < 3; ++i) {
    TTI_SFPLOADI(1, 2, 7);
    TTI_SFPLOADI(2, 2, 8);
    TTI_SFPIADD(0, 1, 2, 4);
  }
}
// expected:
// -- bh
// --- bh: replay
// REPLAY 0, 4, 1, 1
// SFPLOAD L0, 0, 7, 0
// SFPDIVP2 3, L0, L0, 1
// SFPSTORE L0, 0, 7, 0
// INCRWC 0, 0, 0, 2, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// SFPLOADI L1, 2, 0x7
// SFPLOADI L2, 2, 0x8
// SFPIADD 0, L1, L2, 4
// SFPLOADI L1, 2, 0x7
// SFPLOADI L2, 2, 0x8
// SFPIADD 0, L1, L2, 4
// SFPLOADI L1, 2, 0x7
// SFPLOADI L2, 2, 0x8
// SFPIADD 0, L1, L2, 4
// -- wh
// --- wh: replay
// REPLAY 0, 4, 1, 1
// SFPLOAD L0, 0, 3, 0
// SFPDIVP2 3, L0, L0, 1
// SFPSTORE L0, 0, 3, 0
// INCRWC 0, 0, 0, 2, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// REPLAY 0, 4, 0, 0
// SFPLOADI L1, 2, 0x7
// SFPLOADI L2, 2, 0x8
// SFPIADD 0, L1, L2, 4
// SFPLOADI L1, 2, 0x7
// SFPLOADI L2, 2, 0x8
// SFPIADD 0, L1, L2, 4
// SFPLOADI L1, 2, 0x7
// SFPLOADI L2, 2, 0x8
// SFPIADD 0, L1, L2, 4
