// What is known before the kernel runs is not computed by it.
// run: --dump fold
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vInt n = 3;
  n = n - 5;
  vFloat x = dst_reg[0];
  v_if (n < 0 && x < 0.0f) { // x < 0 is left
    x = x * (vFloat(1.5f) + 0.25f);
  }
  v_elseif (n == -2) { // taken by the others, but not known to the first one
    x = 0.0f;
  }
  v_endif;
  v_if (n > 0) { // never
    x = x * x;
    dst_reg[1] = x;
  }
  v_else {
    dst_reg[2] = n;
  }
  v_endif;
  dst_reg[0] = x;
}
// expected:
// -- bh
// --- bh: fold
// %1 = Constant 0xfffffffe (-nan)                 ; line 8
// %2 = SFPLOAD addr_mod=7                         ; line 9
// %5 = Constant 0x00000000 (0)                    ; line 10
// %6 = Compare.Float %2 < %5                      ; line 10
// If %6                                           ; line 10
//   %11 = Constant 0x3fe00000 (1.75)              ; line 11
//   %12 = FloatMul %2, %11                        ; line 11
//   %13 = Assign %2, %12                          ; line 11
// Else                                            ; line 13
//     %18 = Constant 0x00000000 (0)               ; line 14
//     %19 = Assign %13, %18                       ; line 14
// EndIf                                           ; line 16
//   SFPSTORE VD=%1 imm=4 mod=4 addr_mod=7         ; line 22
// SFPSTORE VD=%19 addr_mod=7                      ; line 25
// -- wh
// --- wh: fold
// %1 = Constant 0xfffffffe (-nan)                 ; line 8
// %2 = SFPLOAD addr_mod=3                         ; line 9
// %5 = Constant 0x00000000 (0)                    ; line 10
// %6 = Compare.Float %2 < %5                      ; line 10
// If %6                                           ; line 10
//   %11 = Constant 0x3fe00000 (1.75)              ; line 11
//   %12 = FloatMul %2, %11                        ; line 11
//   %13 = Assign %2, %12                          ; line 11
// Else                                            ; line 13
//     %18 = Constant 0x00000000 (0)               ; line 14
//     %19 = Assign %13, %18                       ; line 14
// EndIf                                           ; line 16
//   SFPSTORE VD=%1 imm=4 mod=12 addr_mod=3        ; line 22
// SFPSTORE VD=%19 addr_mod=3                      ; line 25
