// The comparison with 0 falls out of the operation that makes the number.
// run: --dump flags
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vInt n = dst_reg[0];
  v_if (n - 5 < 0) {
    dst_reg[1] = vConst1;
  }
  v_endif;
  vFloat x = dst_reg[0];
  v_if (exexp(x) >= 0) {
    dst_reg[2] = vConst1;
  }
  v_endif;
  vInt zeros = lz(n); // SFPLZ tests its operand
  v_if (n != 0) {
    dst_reg[3] = zeros;
  }
  v_endif;
}
// expected:
// -- bh
// --- bh: flags
//     0  SFPLOAD VD=%0 imm=0 mod=4
//     1  SFPPUSHC imm=0 mod=0
//     2  SFPIADD VD=%1 VC=%0 imm=-5 mod=1
//     3  SFPSTORE VD=L10 imm=2 mod=0
//     4  SFPPOPC imm=0 mod=0
//     5  SFPLOAD VD=%2 imm=0 mod=0
//     6  SFPPUSHC imm=0 mod=0
//     7  SFPEXEXP VD=%3 VC=%2 imm=0 mod=10
//     8  SFPSTORE VD=L10 imm=4 mod=0
//     9  SFPPOPC imm=0 mod=0
//    10  SFPLZ VD=%4 VC=%0 imm=0 mod=0
//    11  SFPPUSHC imm=0 mod=0
//    12  SFPSETCC VC=%0 imm=0 mod=2
//    13  SFPSTORE VD=%4 imm=6 mod=4
//    14  SFPPOPC imm=0 mod=0
// -- wh
// --- wh: flags
//     0  SFPLOAD VD=%0 imm=0 mod=12
//     1  SFPPUSHC imm=0 mod=0
//     2  SFPIADD VD=%1 VC=%0 imm=-5 mod=1
//     3  SFPSTORE VD=L10 imm=2 mod=0
//     4  SFPPOPC imm=0 mod=0
//     5  SFPLOAD VD=%2 imm=0 mod=0
//     6  SFPPUSHC imm=0 mod=0
//     7  SFPEXEXP VD=%3 VC=%2 imm=0 mod=10
//     8  SFPSTORE VD=L10 imm=4 mod=0
//     9  SFPPOPC imm=0 mod=0
//    10  SFPLZ VD=%4 VC=%0 imm=0 mod=0
//    11  SFPPUSHC imm=0 mod=0
//    12  SFPSETCC VC=%0 imm=0 mod=2
//    13  SFPSTORE VD=%4 imm=6 mod=12
//    14  SFPPOPC imm=0 mod=0
