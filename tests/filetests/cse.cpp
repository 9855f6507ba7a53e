// What is computed twice is computed once: in the same lanes or in fewer, but not in more.
// run: --dump cse
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat a = dst_reg[0], b = dst_reg[1];
  vFloat half = a * -0.5f;
  dst_reg[2] = half * (-0.5f * a); // the same product
  v_if (a < 0.0f) {
    dst_reg[3] = a * b;
  }
  v_endif;
  dst_reg[4] = a * b; // in more lanes than before: anew
  v_if (b < 0.0f) {
    dst_reg[5] = a * b; // in fewer
  }
  v_endif;
}
// expected:
// -- bh
// --- bh: cse
// %0 = SFPLOAD addr_mod=7                         ; line 7
// %1 = SFPLOAD imm=2 addr_mod=7                   ; line 7
// %2 = Constant 0xbf000000 (-0.5)                 ; line 8
// %3 = FloatMul %0, %2                            ; line 8
// %6 = FloatMul %3, %3                            ; line 9
// SFPSTORE VD=%6 imm=4 addr_mod=7                 ; line 9
// %8 = Constant 0x00000000 (0)                    ; line 10
// %9 = Compare.Float %0 < %8                      ; line 10
// If %9                                           ; line 10
//   %11 = FloatMul %0, %1                         ; line 11
//   SFPSTORE VD=%11 imm=6 addr_mod=7              ; line 11
// EndIf                                           ; line 13
// %14 = FloatMul %0, %1                           ; line 14
// SFPSTORE VD=%14 imm=8 addr_mod=7                ; line 14
// %16 = Constant 0x00000000 (0)                   ; line 15
// %17 = Compare.Float %1 < %16                    ; line 15
// If %17                                          ; line 15
//   SFPSTORE VD=%14 imm=10 addr_mod=7             ; line 16
// EndIf                                           ; line 18
// -- wh
// --- wh: cse
// %0 = SFPLOAD addr_mod=3                         ; line 7
// %1 = SFPLOAD imm=2 addr_mod=3                   ; line 7
// %2 = Constant 0xbf000000 (-0.5)                 ; line 8
// %3 = FloatMul %0, %2                            ; line 8
// %6 = FloatMul %3, %3                            ; line 9
// SFPSTORE VD=%6 imm=4 addr_mod=3                 ; line 9
// %8 = Constant 0x00000000 (0)                    ; line 10
// %9 = Compare.Float %0 < %8                      ; line 10
// If %9                                           ; line 10
//   %11 = FloatMul %0, %1                         ; line 11
//   SFPSTORE VD=%11 imm=6 addr_mod=3              ; line 11
// EndIf                                           ; line 13
// %14 = FloatMul %0, %1                           ; line 14
// SFPSTORE VD=%14 imm=8 addr_mod=3                ; line 14
// %16 = Constant 0x00000000 (0)                   ; line 15
// %17 = Compare.Float %1 < %16                    ; line 15
// If %17                                          ; line 15
//   SFPSTORE VD=%14 imm=10 addr_mod=3             ; line 16
// EndIf                                           ; line 18
