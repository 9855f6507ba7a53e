// Compute, with SFPI code of its own: y = x (x + 1)^2 / 4 between -1 and 1, 0 below, x above; a
// ReLU without a corner. MATH runs what Dst holds through smooth_relu(), face by face.
#include <cstdint>

#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"

#if defined(TRISC_MATH)
#include "sfpi.h"

namespace {

/// A face: eight times 32 numbers.
void smooth_relu() {
  using namespace sfpi;
  for (int step = 0; step < 8; ++step) {
    const vFloat x = dst_reg[0];
    const vFloat next = x + 1.0f;
    vFloat y = x * next * next * 0.25f;
    v_if (x >= 1.0f) {
      y = x;
    }
    v_endif;
    v_if (x < -1.0f) {
      y = 0.0f;
    }
    v_endif;
    dst_reg[0] = reinterpret<vFloat>(float_to_fp16b(y, 0)); // a store would cut bits off
    dst_reg++;
  }
}

} // namespace
#endif

void kernel_main() {
  const std::uint32_t tiles = get_arg_val<std::uint32_t>(0);
  init_sfpu(0, 16);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    MATH((_llk_math_eltwise_unary_sfpu_params_(smooth_relu, 0, VectorMode::RC)));
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
