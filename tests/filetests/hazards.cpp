// Wormhole: SFPNOP between a two-cycle result and its reader. Blackhole: only before the readers that its stall logic overlooks.
// run: -fno-rows -fno-schedule -fno-cse --dump hazards
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  vFloat y = x * x;
  dst_reg[0] = y + x;
  vInt n = 5;
  n = n + reinterpret<vInt>(x * x); // SFPIADD reads as VC what SFPMUL made
  dst_reg[1] = n;
  dst_reg[2] = reinterpret<vInt>(x * x) + n; // and as VD, since n lives on
  dst_reg[3] = n;
}
// expected:
// -- bh
// --- bh: hazards
//     0  SFPLOAD VD=L0 imm=0 mod=0
//     1  SFPMAD VD=L1 VC=L0 VB=L0 VA=L0 imm=0 mod=0
//     2  SFPSTORE VD=L1 imm=0 mod=0
//     3  SFPMUL VD=L1 VC=L9 VB=L0 VA=L0 imm=0 mod=0
//     4  SFPIADD VD=L1 VC=L1 imm=5 mod=5
//     5  SFPSTORE VD=L1 imm=2 mod=4
//     6  SFPMUL VD=L0 VC=L9 VB=L0 VA=L0 imm=0 mod=0
//     7  SFPNOP imm=0 mod=0
//     8  SFPIADD VD=L0 VC=L1 imm=0 mod=4
//     9  SFPSTORE VD=L0 imm=4 mod=4
//    10  SFPSTORE VD=L1 imm=6 mod=4
// -- wh
// --- wh: hazards
//     0  SFPLOAD VD=L0 imm=0 mod=0
//     1  SFPMAD VD=L1 VC=L0 VB=L0 VA=L0 imm=0 mod=0
//     2  SFPNOP imm=0 mod=0
//     3  SFPSTORE VD=L1 imm=0 mod=0
//     4  SFPMUL VD=L1 VC=L9 VB=L0 VA=L0 imm=0 mod=0
//     5  SFPNOP imm=0 mod=0
//     6  SFPIADD VD=L1 VC=L1 imm=5 mod=5
//     7  SFPSTORE VD=L1 imm=2 mod=12
//     8  SFPMUL VD=L0 VC=L9 VB=L0 VA=L0 imm=0 mod=0
//     9  SFPNOP imm=0 mod=0
//    10  SFPIADD VD=L0 VC=L1 imm=0 mod=4
//    11  SFPSTORE VD=L0 imm=4 mod=12
//    12  SFPSTORE VD=L1 imm=6 mod=12
