// What nobody needs is left out, also what only it needed.
// run: --dump dce
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat x = dst_reg[0];
  vFloat unused = x * 3.0f;
  vFloat also = unused + dst_reg[1];
  vFloat kept = abs(x);
  kept = kept + 1.0f;
  dst_reg[0] = kept;
}
// expected:
// -- bh
// --- bh: dce
// %0 = SFPLOAD addr_mod=7                         ; line 7
// %5 = SFPABS VC=%0 mod=1                         ; line 10
// %6 = Constant 0x3f800000 (1)                    ; line 11
// %7 = FloatAdd %5, %6                            ; line 11
// SFPSTORE VD=%7 addr_mod=7                       ; line 12
// -- wh
// --- wh: dce
// %0 = SFPLOAD addr_mod=3                         ; line 7
// %5 = SFPABS VC=%0 mod=1                         ; line 10
// %6 = Constant 0x3f800000 (1)                    ; line 11
// %7 = FloatAdd %5, %6                            ; line 11
// SFPSTORE VD=%7 addr_mod=3                       ; line 12
