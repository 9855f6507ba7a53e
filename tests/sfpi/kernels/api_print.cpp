// lanewise::print of everything that it takes.
#include "lanewise.h"

using namespace sfpi;

void api_print() {
  vFloat x = dst_reg[0];
  vInt n = dst_reg[1];
  vUInt u = dst_reg[2];
  lanewise::print(x);
  lanewise::print(n, "an integer");
  lanewise::print(u, "an unsigned integer");
  v_if (x < 0.0F) {
    lanewise::print(x * 2.0F, "in negative lanes");
  }
  v_endif;
  lanewise::print(x < 0.0F, "a condition");
  lanewise::print(vConstTileId, "a constant register");
  lanewise::print(dst_reg[0], "an element of Dst");
  dst_reg[3] = x;
}
