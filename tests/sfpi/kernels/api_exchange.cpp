// Library: instructions with several results, shuffles, and what is built on them.
#include "sfpi.h"

using namespace sfpi;

void api_swap() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[1];
  vec_swap(x, y);
  dst_reg[2] = x;
  dst_reg[3] = y;
  v_if (x < 0.0F) {
    sfpi::swap(x, y);
  }
  v_endif;
  dst_reg[4] = x;
  dst_reg[5] = y;
}

void api_min_max() {
  vFloat x = dst_reg[0];
  vFloat y = dst_reg[1];
  vec_min_max(x, y);
  dst_reg[2] = x;
  dst_reg[3] = y;
  vInt m = dst_reg[0];
  vInt n = dst_reg[1];
  vec_min_max(m, n);
  dst_reg[4] = m;
  dst_reg[5] = n;
}

void api_min_max_of_groups() {
  const unsigned masks[] = {0, 0xF, 0xC, 0x3, 0xA, 0x6, 0x1, 0xE, 0xFF00FF00, 0xFFFFFFFF};
  int row = 2;
  for (unsigned mask : masks) {
    vFloat x = dst_reg[0];
    vFloat y = dst_reg[1];
    auto [first, second] = min_max(x, y, mask);
    dst_reg[row++] = first;
    dst_reg[row++] = second;
  }
}

void api_bounds() {
  vFloat x = dst_reg[0];
  dst_reg[1] = sfpi::min(x, 1.0F);
  dst_reg[2] = sfpi::max(x, vFloat(dst_reg[20]));
  dst_reg[3] = sfpi::clamp(x, -1.0F, 1.0F);
  dst_reg[4] = symmetric_clamp(x, 0.5F);
  dst_reg[5] = rectified_linear_unit(x);
  vUInt u = reinterpret<vUInt>(x);
  dst_reg[6] = sfpi::min(u, 0x3F800000U);
  dst_reg[7] = sfpi::max(u, 0xBF800000U);
  dst_reg[8] = sfpi::clamp(u, 0x100U, 0xC0000000U);
}

void api_transpose() {
  vFloat a = dst_reg[0];
  vFloat b = dst_reg[1];
  vFloat c = dst_reg[2];
  vFloat d = dst_reg[3];
  subvec_transp(a, b, c, d);
  dst_reg[4] = a;
  dst_reg[5] = b;
  dst_reg[6] = c;
  dst_reg[7] = d;
}

void api_shuffles() {
  vFloat x = dst_reg[0];
  vFloat rotated = subvec_shflror1(x);
  dst_reg[1] = rotated;
  vInt n = dst_reg[0];
  n = subvec_shflror1(n);
  dst_reg[2] = n;
#if defined(ARCH_BLACKHOLE)
  vUInt shifted = subvec_shflshr1(x);
  dst_reg[3] = shifted;
#endif
}

void api_polynomials() {
  vFloat x = dst_reg[0];
  dst_reg[1] = polynomial(x, 1.0F, 0.5F, vFloat(0.25F));
  dst_reg[2] = polynomial(x, x);
  auto rounded = sfpi::round(x);
  vFloat f = rounded;
  vInt n = rounded;
  dst_reg[3] = f;
  dst_reg[4] = n;
}
