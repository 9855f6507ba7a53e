// Products go into sums, negations into constants and modes, a condition that became a number is one again.
// run: --dump combine
#include "sfpi.h"
using namespace sfpi;

void kernel() {
  vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2];
  dst_reg[0] = a * b + c;  // one multiply-add
  dst_reg[1] = -a * b + c; // with a negated operand
  dst_reg[2] = a - 2.0f;   // a sum with -2
  vFloat product = a * b;  // used twice: stays a product
  dst_reg[3] = product + c;
  dst_reg[4] = product;
  vInt above = (a > b);
  v_if (above != 0) {
    dst_reg[5] = a;
  }
  v_endif;
}
// expected:
// -- bh
// --- bh: combine
// %0 = SFPLOAD addr_mod=7                         ; line 7
// %1 = SFPLOAD imm=2 addr_mod=7                   ; line 7
// %2 = SFPLOAD imm=4 addr_mod=7                   ; line 7
// %3 = FloatMul %0, %1                            ; line 8
// %4 = FloatMad %0, %1, %2                        ; line 8
// SFPSTORE VD=%4 addr_mod=7                       ; line 8
// %6 = SFPMOV VC=%0 mod=1                         ; line 9
// %7 = FloatMul %0, %1 mod=1                      ; line 9
// %8 = FloatMad %0, %1, %2 mod=1                  ; line 9
// SFPSTORE VD=%8 imm=2 addr_mod=7                 ; line 9
// %10 = Constant 0xc0000000 (-2)                  ; line 10
// %11 = FloatAdd %0, %10                          ; line 10
// SFPSTORE VD=%11 imm=4 addr_mod=7                ; line 10
// %13 = FloatMul %0, %1                           ; line 11
// %14 = FloatAdd %13, %2                          ; line 12
// SFPSTORE VD=%14 imm=6 addr_mod=7                ; line 12
// SFPSTORE VD=%13 imm=8 addr_mod=7                ; line 13
// %17 = Compare.Float %0 > %1                     ; line 14
// %18 = FromCondition %17                         ; line 14
// %19 = Constant 0x00000000 (0)                   ; line 15
// %20 = Compare.Int %18 != %19                    ; line 15
// If %17                                          ; line 15
//   SFPSTORE VD=%0 imm=10 addr_mod=7              ; line 16
// EndIf                                           ; line 18
// -- wh
// --- wh: combine
// %0 = SFPLOAD addr_mod=3                         ; line 7
// %1 = SFPLOAD imm=2 addr_mod=3                   ; line 7
// %2 = SFPLOAD imm=4 addr_mod=3                   ; line 7
// %3 = FloatMul %0, %1                            ; line 8
// %4 = FloatMad %0, %1, %2                        ; line 8
// SFPSTORE VD=%4 addr_mod=3                       ; line 8
// %6 = SFPMOV VC=%0 mod=1                         ; line 9
// %7 = FloatMul %6, %1                            ; line 9
// %8 = FloatMad %6, %1, %2                        ; line 9
// SFPSTORE VD=%8 imm=2 addr_mod=3                 ; line 9
// %10 = Constant 0xc0000000 (-2)                  ; line 10
// %11 = FloatAdd %0, %10                          ; line 10
// SFPSTORE VD=%11 imm=4 addr_mod=3                ; line 10
// %13 = FloatMul %0, %1                           ; line 11
// %14 = FloatAdd %13, %2                          ; line 12
// SFPSTORE VD=%14 imm=6 addr_mod=3                ; line 12
// SFPSTORE VD=%13 imm=8 addr_mod=3                ; line 13
// %17 = Compare.Float %0 > %1                     ; line 14
// %18 = FromCondition %17                         ; line 14
// %19 = Constant 0x00000000 (0)                   ; line 15
// %20 = Compare.Int %18 != %19                    ; line 15
// If %17                                          ; line 15
//   SFPSTORE VD=%0 imm=10 addr_mod=3              ; line 16
// EndIf                                           ; line 18
