// The outermost v_if needs no entry of the flag stack, nor do predicates that end together; an assignment after the inner one
// keeps its entry.
// run: --dump cc
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  vFloat y = 0.0f;
  v_if (x > 1.0f) {
    v_if (x < 2.0f) {
      y = x;
    }
    v_endif;
  }
  v_endif;
  v_if (x > 4.0f) {
    v_if (x < 8.0f) {
      y = 1.0f;
    }
    v_endif;
    y = y + x;
  }
  v_endif;
  dst_reg[0] = y;
}
// expected:
// -- bh
// --- bh: cc
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPGT VD=%0 VC=L10 imm=0 mod=1
//     2  SFPLOADI VD=%1 imm=16384 mod=0
//     3  SFPGT VD=%1 VC=%0 imm=0 mod=1
//     4  SFPMOV VD=%2 VC=L9 imm=0 mod=2
//     5  SFPMOV VD=%2 VC=%0 imm=0 mod=0 keeps
//     6  SFPENCC imm=3 mod=10
//     7  SFPLOADI VD=%3 imm=16512 mod=0
//     8  SFPGT VD=%0 VC=%3 imm=0 mod=1
//     9  SFPLOADI VD=%4 imm=16640 mod=0
//    10  SFPPUSHC imm=0 mod=0
//    11  SFPGT VD=%4 VC=%0 imm=0 mod=1
//    12  SFPMOV VD=%2 VC=L10 imm=0 mod=0 keeps
//    13  SFPPOPC imm=0 mod=0
//    14  SFPADD VD=%2 VC=%0 VB=%2 VA=L10 imm=0 mod=0 keeps
//    15  SFPENCC imm=3 mod=10
//    16  SFPSTORE VD=%2 imm=0 mod=0
// -- wh
// --- wh: cc
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMAD VD=%1 VC=L10 VB=L11 VA=%0 imm=0 mod=0
//     2  SFPSETCC VC=%1 imm=0 mod=0
//     3  SFPLOADI VD=%2 imm=16384 mod=0
//     4  SFPMAD VD=%3 VC=%0 VB=L11 VA=%2 imm=0 mod=0
//     5  SFPSETCC VC=%3 imm=0 mod=0
//     6  SFPMOV VD=%4 VC=L9 imm=0 mod=2
//     7  SFPMOV VD=%4 VC=%0 imm=0 mod=0 keeps
//     8  SFPENCC imm=3 mod=10
//     9  SFPLOADI VD=%5 imm=16512 mod=0
//    10  SFPMAD VD=%6 VC=%5 VB=L11 VA=%0 imm=0 mod=0
//    11  SFPSETCC VC=%6 imm=0 mod=0
//    12  SFPLOADI VD=%7 imm=16640 mod=0
//    13  SFPPUSHC imm=0 mod=0
//    14  SFPMAD VD=%8 VC=%0 VB=L11 VA=%7 imm=0 mod=0
//    15  SFPSETCC VC=%8 imm=0 mod=0
//    16  SFPMOV VD=%4 VC=L10 imm=0 mod=0 keeps
//    17  SFPPOPC imm=0 mod=0
//    18  SFPADD VD=%4 VC=%0 VB=%4 VA=L10 imm=0 mod=0 keeps
//    19  SFPENCC imm=3 mod=10
//    20  SFPSTORE VD=%4 imm=0 mod=0
