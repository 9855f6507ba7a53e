// A result under a predicate goes straight into the variable that it is for; where the old value is needed too, it is copied.
// run: --dump coalesce
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  vFloat y = x;
  v_if (x < 0.0f) {
    y = x * x;
  }
  v_endif;
  dst_reg[0] = y;
  dst_reg[1] = x;
}
// expected:
// -- bh
// --- bh: coalesce
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPPUSHC imm=0 mod=0
//     2  SFPGT VD=L9 VC=%0 imm=0 mod=1
//     3  SFPMOV VD=%1 VC=%0 imm=0 mod=2
//     4  SFPMUL VD=%1 VC=L9 VB=%0 VA=%0 imm=0 mod=0 keeps
//     5  SFPPOPC imm=0 mod=0
//     6  SFPSTORE VD=%1 imm=0 mod=0
//     7  SFPSTORE VD=%0 imm=2 mod=0
// -- wh
// --- wh: coalesce
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPPUSHC imm=0 mod=0
//     2  SFPSETCC VC=%0 imm=0 mod=0
//     3  SFPMOV VD=%1 VC=%0 imm=0 mod=2
//     4  SFPMUL VD=%1 VC=L9 VB=%0 VA=%0 imm=0 mod=0 keeps
//     5  SFPPOPC imm=0 mod=0
//     6  SFPSTORE VD=%1 imm=0 mod=0
//     7  SFPSTORE VD=%0 imm=2 mod=0
