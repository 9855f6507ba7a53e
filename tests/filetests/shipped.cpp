// The vendor's order: a variable's constant is loaded where the variable gets it, which may fill the
// cycle in which the next instruction would wait; without it, just before its first use.
// run: --compiled shipped --dump select
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  vFloat y = x * x;
  vFloat limit = 5.0f; // before the addition that waits for y
  vFloat sum = y + x;
  v_if(x < 0.0f) {
    vFloat small = 0.25f; // in the lanes that need it
    sum = sum * y + small;
  }
  v_endif;
  vec_min_max(sum, limit);
  dst_reg[0] = sum;
}
// expected:
// -- bh
// --- bh: select
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMUL VD=%1 VC=L9 VB=%0 VA=%0 imm=0 mod=0
//     2  SFPLOADI VD=%2 imm=16544 mod=0
//     3  SFPADD VD=%3 VC=%0 VB=%1 VA=L10 imm=0 mod=0
//     4  SFPPUSHC imm=0 mod=0
//     5  SFPGT VD=L9 VC=%0 imm=0 mod=1
//     6  SFPLOADI VD=%4 imm=16000 mod=0
//     7  SFPMAD VD=%3 VC=%4 VB=%1 VA=%3 imm=0 mod=0 keeps
//     8  SFPPOPC imm=0 mod=0
//     9  SFPSWAP VD=%3 VC=%2 imm=0 mod=1
//    10  SFPSTORE VD=%3 imm=0 mod=0
// -- wh
// --- wh: select
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMUL VD=%1 VC=L9 VB=%0 VA=%0 imm=0 mod=0
//     2  SFPLOADI VD=%2 imm=16544 mod=0
//     3  SFPADD VD=%3 VC=%0 VB=%1 VA=L10 imm=0 mod=0
//     4  SFPPUSHC imm=0 mod=0
//     5  SFPSETCC VC=%0 imm=0 mod=0
//     6  SFPLOADI VD=%4 imm=16000 mod=0
//     7  SFPMAD VD=%3 VC=%4 VB=%1 VA=%3 imm=0 mod=0 keeps
//     8  SFPPOPC imm=0 mod=0
//     9  SFPSWAP VD=%3 VC=%2 imm=0 mod=1
//    10  SFPSTORE VD=%3 imm=0 mod=0
