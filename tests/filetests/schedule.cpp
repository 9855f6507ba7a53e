// No result of two cycles is read in the next one where something else can be done meanwhile.
// run: -fno-rows --dump schedule
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[1];
  dst_reg[0] = x * x * x;
  dst_reg[1] = y * y * y;
}
// expected:
// -- bh
// --- bh: schedule
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPLOAD VD=%1 imm=2 mod=0
//     2  SFPMUL VD=%2 VC=L9 VB=%0 VA=%0 imm=0 mod=0
//     3  SFPMUL VD=%4 VC=L9 VB=%1 VA=%1 imm=0 mod=0
//     4  SFPMUL VD=%3 VC=L9 VB=%0 VA=%2 imm=0 mod=0
//     5  SFPMUL VD=%5 VC=L9 VB=%1 VA=%4 imm=0 mod=0
//     6  SFPSTORE VD=%3 imm=0 mod=0
//     7  SFPSTORE VD=%5 imm=2 mod=0
// -- wh
// --- wh: schedule
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPLOAD VD=%1 imm=2 mod=0
//     2  SFPMUL VD=%2 VC=L9 VB=%0 VA=%0 imm=0 mod=0
//     3  SFPMUL VD=%4 VC=L9 VB=%1 VA=%1 imm=0 mod=0
//     4  SFPMUL VD=%3 VC=L9 VB=%0 VA=%2 imm=0 mod=0
//     5  SFPMUL VD=%5 VC=L9 VB=%1 VA=%4 imm=0 mod=0
//     6  SFPSTORE VD=%3 imm=0 mod=0
//     7  SFPSTORE VD=%5 imm=2 mod=0
