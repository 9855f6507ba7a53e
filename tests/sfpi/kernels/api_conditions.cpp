// Comparisons of everything with everything, conditions, and predication.
#include "sfpi.h"

using namespace sfpi;

namespace {

/// Counts in `sum` the lanes' conditions that hold, each with its own weight.
sfpi_inline void add_where(vInt& sum, vInt holds, int weight) {
  v_if (holds) {
    sum += weight;
  }
  v_endif;
}

} // namespace

void api_float_comparisons() {
  vFloat x = dst_reg[0];
  vInt sum = 0;
  add_where(sum, x < 1.0F, 1);
  add_where(sum, x <= 1.0, 2);
  add_where(sum, x == 1, 4);
  add_where(sum, x != 0U, 8);
  add_where(sum, x >= -1L, 16);
  add_where(sum, x > 0.0F, 32);
  add_where(sum, 2.0F > x, 64);
  add_where(sum, 0 <= x, 128);
  add_where(sum, x < sFloat16b(0.3F), 256);
  add_where(sum, x >= s2vFloat16a(2.5F), 512);
  add_where(sum, x < vConst0p8373, 1024);
  dst_reg[2] = sum;
}

void api_float_vector_comparisons() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[1];
  vInt sum = 0;
  add_where(sum, x < y, 1);
  add_where(sum, x <= y, 2);
  add_where(sum, x == y, 4);
  add_where(sum, x != y, 8);
  add_where(sum, x >= y, 16);
  add_where(sum, x > y, 32);
  add_where(sum, dst_reg[1] < 0.5F, 64);
  add_where(sum, dst_reg[1] >= x, 128);
  add_where(sum, y == dst_reg[0], 256);
  add_where(sum, dst_reg[0] != dst_reg[1], 512);
  add_where(sum, vConst1 > x, 1024);
  dst_reg[2] = sum;
}

void api_int_comparisons() {
  vInt x = dst_reg[0];
  vInt y = dst_reg[1];
  vUInt u = dst_reg[3];
  x &= 0xFFF;
  y &= 0xFFF;
  u &= 0xFFF;
  vInt sum = 0;
  add_where(sum, x < 5, 1);
  add_where(sum, x <= 500U, 2);
  add_where(sum, x == 5L, 4);
  add_where(sum, 7UL != x, 8);
  add_where(sum, x >= y, 16);
  add_where(sum, x > y, 32);
  add_where(sum, x < u, 64);
  add_where(sum, u >= 0x800U, 128);
  add_where(sum, u == 3, 256);
  add_where(sum, u > vUInt(77), 512);
  add_where(sum, vConstTileId < 32, 1024);
  dst_reg[2] = sum;
}

void api_boolean_operators() {
  vFloat x = dst_reg[0];
  vInt n = exexp(x);
  vInt sum = 0;
  add_where(sum, x > 0.0F && x < 1.0F, 1);
  add_where(sum, x < -1.0F || x > 1.0F, 2);
  add_where(sum, !(x < 0.5F), 4);
  add_where(sum, (x >= 4.0F && x < 8.0F) || (x >= -8.0F && x < -4.0F), 8);
  add_where(sum, !(x < 0.0F || n < 0) && x != 3.0F, 16);
  add_where(sum, n && x > 0.0F, 32);
  add_where(sum, !n, 64);
  dst_reg[1] = sum;
}

void api_conditions_as_vectors() {
  vFloat x = dst_reg[0];
  vInt positive = x > 0.0F;
  vUInt small = x < 0.25F && x > -0.25F;
  dst_reg[1] = positive;
  dst_reg[2] = small;
  vInt later;
  later = x == 0.0F;
  dst_reg[3] = later + positive;
  v_if (x < 0.0F) {
    vInt steep = x < -2.0F;
    dst_reg[4] = steep;
  }
  v_endif;
}

void api_chain() {
  vFloat x = dst_reg[0];
  vFloat y = 0.0F;
  v_if (x < -1.0F) {
    y = -1.0F;
  }
  v_elseif (x < 0.0F) {
    y = x * 0.5F;
    x = 9.0F;
  }
  v_elseif (x < 1.0F) {
    y = x + x;
  }
  v_else {
    y = 1.0F;
  }
  v_endif;
  dst_reg[1] = y;
  dst_reg[2] = x;
}

void api_nested() {
  vFloat x = dst_reg[0];
  vFloat y = 1.0F;
  v_if (x > 0.0F) {
    y = 2.0F;
    v_if (x > 1.0F) {
      y = y + x;
      v_if (x > 2.0F) {
        y = y * 2.0F;
      }
      v_else {
        y -= 1.0F;
      }
      v_endif;
    }
    v_endif;
    y += 0.5F;
  }
  v_else {
    v_if (x == 0.0F) y = 7.0F;
    v_endif;
  }
  v_endif;
  dst_reg[1] = y;
}

void api_block() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[1];
  v_block {
    for (int i = 0; i < 3; ++i) {
      x = x - 0.5F;
      v_and(x >= 0.0F);
      y *= 2.0F;
    }
  }
  v_endblock;
  v_if (y > 1.0F) {
    v_and(x < 4.0F);
    y = 1.0F;
  }
  v_endif;
  dst_reg[2] = x;
  dst_reg[3] = y;
}

/// Release 5.0 closes both by the same brace.
void api_block_with_endif() {
  vFloat x = dst_reg[0];
  v_block {
    v_and(x >= 0.0F);
    x = x + 1.0F;
  }
  v_endif;
  v_if (x < 2.0F) {
    x = x * 2.0F;
  }
  v_endblock;
  dst_reg[2] = x;
}

/// A C++ float beside an integer vector is converted as C++ does.
void api_integers_and_floats() {
  vInt n = dst_reg[0];
  vUInt u = vConstTileId;
  v_if (n == 2.0) {
    n = 1;
  }
  v_elseif (n < -1.5F) {
    n = 2;
  }
  v_elseif (3.0F <= u) {
    n = 3;
  }
  v_endif;
  dst_reg[1] = n;
}

namespace {

sfpi_inline vFloat leave_early(vFloat x, int depth) {
  for (int i = 0;; ++i) {
    v_if (x > 0.0F) {
      x = x - 1.0F;
      if (i == depth) break;
      v_if (x > 1.0F) {
        x = x * 0.5F;
        if (i == 0) continue;
        if (depth == 3) return x;
      }
      v_endif;
    }
    v_endif;
  }
  return x + 0.25F;
}

} // namespace

void api_early_exits() {
  vFloat x = dst_reg[0];
  dst_reg[1] = leave_early(x, 2);
  dst_reg[2] = leave_early(x, 3);
}
