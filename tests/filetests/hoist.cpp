// Constants that every row loads are loaded once, before the first row.
// run: -fno-rows -fno-schedule --dump hoist
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  for (int row = 0; row < 3; ++row) {
    vFloat x = dst_reg[0];
    dst_reg[0] = (x * 1.234f + 0.567f) * x;
    dst_reg++;
  }
}
// expected:
// -- bh
// --- bh: hoist
//     0  SFPLOADI VD=%1 imm=62390 mod=2
//     1  SFPLOADI VD=%1 imm=16285 mod=8
//     2  SFPLOADI VD=%2 imm=9961 mod=2
//     3  SFPLOADI VD=%2 imm=16145 mod=8
//     4  SFPLOAD VD=%0 imm=0 mod=0
//     5  SFPMAD VD=%3 VC=%2 VB=%1 VA=%0 imm=0 mod=0
//     6  SFPMUL VD=%4 VC=L9 VB=%0 VA=%3 imm=0 mod=0
//     7  SFPSTORE VD=%4 imm=0 mod=0
//     8  raw INCRWC 0, 0, 0, 2, 0, 0
//     9  SFPLOAD VD=%5 imm=0 mod=0
//    10  SFPMAD VD=%8 VC=%2 VB=%1 VA=%5 imm=0 mod=0
//    11  SFPMUL VD=%9 VC=L9 VB=%5 VA=%8 imm=0 mod=0
//    12  SFPSTORE VD=%9 imm=0 mod=0
//    13  raw INCRWC 0, 0, 0, 2, 0, 0
//    14  SFPLOAD VD=%10 imm=0 mod=0
//    15  SFPMAD VD=%13 VC=%2 VB=%1 VA=%10 imm=0 mod=0
//    16  SFPMUL VD=%14 VC=L9 VB=%10 VA=%13 imm=0 mod=0
//    17  SFPSTORE VD=%14 imm=0 mod=0
//    18  raw INCRWC 0, 0, 0, 2, 0, 0
// -- wh
// --- wh: hoist
//     0  SFPLOADI VD=%1 imm=62390 mod=2
//     1  SFPLOADI VD=%1 imm=16285 mod=8
//     2  SFPLOADI VD=%2 imm=9961 mod=2
//     3  SFPLOADI VD=%2 imm=16145 mod=8
//     4  SFPLOAD VD=%0 imm=0 mod=0
//     5  SFPMAD VD=%3 VC=%2 VB=%1 VA=%0 imm=0 mod=0
//     6  SFPMUL VD=%4 VC=L9 VB=%0 VA=%3 imm=0 mod=0
//     7  SFPSTORE VD=%4 imm=0 mod=0
//     8  raw INCRWC 0, 0, 0, 2, 0, 0
//     9  SFPLOAD VD=%5 imm=0 mod=0
//    10  SFPMAD VD=%8 VC=%2 VB=%1 VA=%5 imm=0 mod=0
//    11  SFPMUL VD=%9 VC=L9 VB=%5 VA=%8 imm=0 mod=0
//    12  SFPSTORE VD=%9 imm=0 mod=0
//    13  raw INCRWC 0, 0, 0, 2, 0, 0
//    14  SFPLOAD VD=%10 imm=0 mod=0
//    15  SFPMAD VD=%13 VC=%2 VB=%1 VA=%10 imm=0 mod=0
//    16  SFPMUL VD=%14 VC=L9 VB=%10 VA=%13 imm=0 mod=0
//    17  SFPSTORE VD=%14 imm=0 mod=0
//    18  raw INCRWC 0, 0, 0, 2, 0, 0
