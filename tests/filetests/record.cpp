// What a kernel leaves behind: a node per operation, scalar C++ gone, an Assign where lanes are joined.
// run: --dump record
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  for (int i = 0; i < 2; ++i) { // unrolled by running
    vFloat x = dst_reg[i];
    vFloat y = 1.5f;
    v_if (x < 0.0f && x != -2.0f) {
      y = x * x;
    }
    v_else {
      y = setexp(x, 127);
    }
    v_endif;
    dst_reg[i] = y;
  }
}
// expected:
// -- bh
// --- bh: record
// %0 = SFPLOAD addr_mod=7                         ; line 8
// %1 = Constant 0x3fc00000 (1.5)                  ; line 9
// %2 = Constant 0x00000000 (0)                    ; line 10
// %3 = Compare.Float %0 < %2                      ; line 10
// %4 = Constant 0xc0000000 (-2)                   ; line 10
// %5 = Compare.Float %0 != %4                     ; line 10
// %6 = And %3, %5                                 ; line 10
// If %6                                           ; line 10
//   %8 = FloatMul %0, %0                          ; line 11
//   %9 = Assign %1, %8                            ; line 11
// Else                                            ; line 13
//   %11 = SFPSETEXP VC=%0 imm=127 mod=1           ; line 14
//   %12 = Assign %9, %11                          ; line 14
// EndIf                                           ; line 16
// SFPSTORE VD=%12 addr_mod=7                      ; line 17
// %15 = SFPLOAD imm=2 addr_mod=7                  ; line 8
// %16 = Constant 0x3fc00000 (1.5)                 ; line 9
// %17 = Constant 0x00000000 (0)                   ; line 10
// %18 = Compare.Float %15 < %17                   ; line 10
// %19 = Constant 0xc0000000 (-2)                  ; line 10
// %20 = Compare.Float %15 != %19                  ; line 10
// %21 = And %18, %20                              ; line 10
// If %21                                          ; line 10
//   %23 = FloatMul %15, %15                       ; line 11
//   %24 = Assign %16, %23                         ; line 11
// Else                                            ; line 13
//   %26 = SFPSETEXP VC=%15 imm=127 mod=1          ; line 14
//   %27 = Assign %24, %26                         ; line 14
// EndIf                                           ; line 16
// SFPSTORE VD=%27 imm=2 addr_mod=7                ; line 17
// -- wh
// --- wh: record
// %0 = SFPLOAD addr_mod=3                         ; line 8
// %1 = Constant 0x3fc00000 (1.5)                  ; line 9
// %2 = Constant 0x00000000 (0)                    ; line 10
// %3 = Compare.Float %0 < %2                      ; line 10
// %4 = Constant 0xc0000000 (-2)                   ; line 10
// %5 = Compare.Float %0 != %4                     ; line 10
// %6 = And %3, %5                                 ; line 10
// If %6                                           ; line 10
//   %8 = FloatMul %0, %0                          ; line 11
//   %9 = Assign %1, %8                            ; line 11
// Else                                            ; line 13
//   %11 = SFPSETEXP VC=%0 imm=127 mod=1           ; line 14
//   %12 = Assign %9, %11                          ; line 14
// EndIf                                           ; line 16
// SFPSTORE VD=%12 addr_mod=3                      ; line 17
// %15 = SFPLOAD imm=2 addr_mod=3                  ; line 8
// %16 = Constant 0x3fc00000 (1.5)                 ; line 9
// %17 = Constant 0x00000000 (0)                   ; line 10
// %18 = Compare.Float %15 < %17                   ; line 10
// %19 = Constant 0xc0000000 (-2)                  ; line 10
// %20 = Compare.Float %15 != %19                  ; line 10
// %21 = And %18, %20                              ; line 10
// If %21                                          ; line 10
//   %23 = FloatMul %15, %15                       ; line 11
//   %24 = Assign %16, %23                         ; line 11
// Else                                            ; line 13
//   %26 = SFPSETEXP VC=%15 imm=127 mod=1          ; line 14
//   %27 = Assign %24, %26                         ; line 14
// EndIf                                           ; line 16
// SFPSTORE VD=%27 imm=2 addr_mod=3                ; line 17
