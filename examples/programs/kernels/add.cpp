// Compute: the sum of the tiles of circular buffers 0 and 1, to 16.
#include <cstdint>

#include "api/compute/eltwise_binary.h"

void kernel_main() {
  const std::uint32_t tiles = get_arg_val<std::uint32_t>(0);
  binary_op_init_common(0, 1, 16);
  add_tiles_init(0, 1);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire(); // a section of Dst for MATH
    add_tiles(0, 1, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait(); // the section for PACK
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
