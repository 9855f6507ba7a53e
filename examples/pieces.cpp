// A function in pieces: nested predicates, && and ||, and a loop that narrows the lanes step by
// step.
//
//   ./lanewise run examples/pieces.cpp --in ramp:-8:8
//
//   x < 0:   -1 between -4 and -2, else x
//   x >= 0:  x halved until it is below 1, at most three times; and 0 where x is 0 or above 6
#include "sfpi.h"

using namespace sfpi;

void kernel() {
  for (int row = 0; row < 32; ++row) {
    const vFloat x = dst_reg[0];
    vFloat y = x;
    v_if (x < 0.0f) {
      v_if (x > -4.0f && x < -2.0f) {
        y = -1.0f;
      }
      v_endif;
    }
    v_else {
      v_if (x == 0.0f || x > 6.0f) {
        y = 0.0f;
      }
      v_else {
        v_block {
          for (int i = 0; i < 3; ++i) {
            v_and(y >= 1.0f); // from here on, in these lanes only
            y = addexp(y, -1);
          }
        }
        v_endblock;
      }
      v_endif;
    }
    v_endif;
    dst_reg[0] = y;
    dst_reg++;
  }
}
