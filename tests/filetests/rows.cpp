// Two rows become one stretch: the step between them goes into the addresses of the second.
// run: -fno-schedule --dump rows
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  for (int row = 0; row < 4; ++row) {
    vFloat x = dst_reg[0];
    dst_reg[0] = x * x + x;
    dst_reg++;
  }
}
// expected:
// -- bh
// --- bh: rows
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMAD VD=%1 VC=%0 VB=%0 VA=%0 imm=0 mod=0
//     2  SFPSTORE VD=%1 imm=0 mod=0
//     3  SFPLOAD VD=%2 imm=2 mod=0
//     4  SFPMAD VD=%3 VC=%2 VB=%2 VA=%2 imm=0 mod=0
//     5  SFPSTORE VD=%3 imm=2 mod=0
//     6  SFPLOAD VD=%4 imm=4 mod=0
//     7  SFPMAD VD=%5 VC=%4 VB=%4 VA=%4 imm=0 mod=0
//     8  SFPSTORE VD=%5 imm=4 mod=0
//     9  SFPLOAD VD=%6 imm=6 mod=0
//    10  SFPMAD VD=%7 VC=%6 VB=%6 VA=%6 imm=0 mod=0
//    11  SFPSTORE VD=%7 imm=6 mod=0
//    12  raw INCRWC 0, 0, 0, 8, 0, 0
// -- wh
// --- wh: rows
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMAD VD=%1 VC=%0 VB=%0 VA=%0 imm=0 mod=0
//     2  SFPSTORE VD=%1 imm=0 mod=0
//     3  SFPLOAD VD=%2 imm=2 mod=0
//     4  SFPMAD VD=%3 VC=%2 VB=%2 VA=%2 imm=0 mod=0
//     5  SFPSTORE VD=%3 imm=2 mod=0
//     6  raw INCRWC 0, 0, 0, 4, 0, 0
//     7  SFPLOAD VD=%4 imm=0 mod=0
//     8  SFPMAD VD=%5 VC=%4 VB=%4 VA=%4 imm=0 mod=0
//     9  SFPSTORE VD=%5 imm=0 mod=0
//    10  SFPLOAD VD=%6 imm=2 mod=0
//    11  SFPMAD VD=%7 VC=%6 VB=%6 VA=%6 imm=0 mod=0
//    12  SFPSTORE VD=%7 imm=2 mod=0
//    13  raw INCRWC 0, 0, 0, 4, 0, 0
