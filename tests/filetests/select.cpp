// How each kind of constant is loaded, and immediates where the other operand may be overwritten.
// run: --dump select
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  dst_reg[0] = x * 1.0f;          // LReg[10]
  dst_reg[1] = x * 0.0f;          // LReg[9]
  dst_reg[2] = x * 2.0f;          // upper half only: FP16b
  dst_reg[3] = x * 1.00390625f;   // FP16a: eleven bits of mantissa
  dst_reg[4] = x * 3.14159265f;   // two halves
  dst_reg[5] = vInt(40000);       // unsigned 16 bits
  dst_reg[6] = vInt(-3);          // signed 16 bits
  vInt bits = reinterpret<vInt>(x);
  dst_reg[7] = bits + 5;          // SFPIADD's 12 bits
  dst_reg[8] = bits + 5000;       // too wide for them
}
// expected:
// -- bh
// --- bh: select
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMUL VD=%1 VC=L9 VB=L10 VA=%0 imm=0 mod=0
//     2  SFPSTORE VD=%1 imm=0 mod=0
//     3  SFPMUL VD=%2 VC=L9 VB=L9 VA=%0 imm=0 mod=0
//     4  SFPSTORE VD=%2 imm=2 mod=0
//     5  SFPLOADI VD=%3 imm=16384 mod=0
//     6  SFPMUL VD=%4 VC=L9 VB=%3 VA=%0 imm=0 mod=0
//     7  SFPSTORE VD=%4 imm=4 mod=0
//     8  SFPLOADI VD=%5 imm=15364 mod=1
//     9  SFPMUL VD=%6 VC=L9 VB=%5 VA=%0 imm=0 mod=0
//    10  SFPSTORE VD=%6 imm=6 mod=0
//    11  SFPLOADI VD=%7 imm=4059 mod=2
//    12  SFPLOADI VD=%7 imm=16457 mod=8
//    13  SFPMUL VD=%8 VC=L9 VB=%7 VA=%0 imm=0 mod=0
//    14  SFPSTORE VD=%8 imm=8 mod=0
//    15  SFPLOADI VD=%9 imm=40000 mod=2
//    16  SFPSTORE VD=%9 imm=10 mod=4
//    17  SFPLOADI VD=%10 imm=65533 mod=4
//    18  SFPSTORE VD=%10 imm=12 mod=4
//    19  SFPIADD VD=%11 VC=%0 imm=5 mod=5
//    20  SFPSTORE VD=%11 imm=14 mod=4
//    21  SFPLOADI VD=%12 imm=5000 mod=2
//    22  SFPIADD VD=%12 VC=%0 imm=0 mod=4
//    23  SFPSTORE VD=%12 imm=16 mod=4
// -- wh
// --- wh: select
//     0  SFPLOAD VD=%0 imm=0 mod=0
//     1  SFPMUL VD=%1 VC=L9 VB=L10 VA=%0 imm=0 mod=0
//     2  SFPSTORE VD=%1 imm=0 mod=0
//     3  SFPMUL VD=%2 VC=L9 VB=L9 VA=%0 imm=0 mod=0
//     4  SFPSTORE VD=%2 imm=2 mod=0
//     5  SFPLOADI VD=%3 imm=16384 mod=0
//     6  SFPMUL VD=%4 VC=L9 VB=%3 VA=%0 imm=0 mod=0
//     7  SFPSTORE VD=%4 imm=4 mod=0
//     8  SFPLOADI VD=%5 imm=15364 mod=1
//     9  SFPMUL VD=%6 VC=L9 VB=%5 VA=%0 imm=0 mod=0
//    10  SFPSTORE VD=%6 imm=6 mod=0
//    11  SFPLOADI VD=%7 imm=4059 mod=2
//    12  SFPLOADI VD=%7 imm=16457 mod=8
//    13  SFPMUL VD=%8 VC=L9 VB=%7 VA=%0 imm=0 mod=0
//    14  SFPSTORE VD=%8 imm=8 mod=0
//    15  SFPLOADI VD=%9 imm=40000 mod=2
//    16  SFPSTORE VD=%9 imm=10 mod=12
//    17  SFPLOADI VD=%10 imm=65533 mod=4
//    18  SFPSTORE VD=%10 imm=12 mod=12
//    19  SFPIADD VD=%11 VC=%0 imm=5 mod=5
//    20  SFPSTORE VD=%11 imm=14 mod=12
//    21  SFPLOADI VD=%12 imm=5000 mod=2
//    22  SFPIADD VD=%12 VC=%0 imm=0 mod=4
//    23  SFPSTORE VD=%12 imm=16 mod=12
