// Compute: for each tile of the result, the sum of products of tiles of circular buffers 0 and 1.
#include <cstdint>

#include "api/compute/matmul.h"

void kernel_main() {
  constexpr std::uint32_t kTiles = get_compile_time_arg_val(0);
  constexpr std::uint32_t kInner = get_compile_time_arg_val(1);
  mm_init(0, 1, 16);
  for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
    tile_regs_acquire();
    for (std::uint32_t k = 0; k < kInner; ++k) {
      cb_wait_front(0, 1);
      cb_wait_front(1, 1);
      matmul_tiles(0, 1, 0, 0, 0); // adds to tile 0 of Dst
      cb_pop_front(0, 1);
      cb_pop_front(1, 1);
    }
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
