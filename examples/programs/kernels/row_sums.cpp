// Compute: for each row of tiles, the sum of each row of numbers, as the first column of a tile.
#include <cstdint>

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce.h"

void kernel_main() {
  constexpr std::uint32_t kRows = get_compile_time_arg_val(0);    // of tiles
  constexpr std::uint32_t kColumns = get_compile_time_arg_val(1); // of tiles
  constexpr PoolType kSum = PoolType::SUM;
  constexpr ReduceDim kRow = ReduceDim::REDUCE_ROW;
  compute_kernel_hw_startup(0, 1, 16);
  reduce_init<kSum, kRow>(0, 1, 16);
  cb_wait_front(1, 1); // what each number is multiplied with: it stays
  for (std::uint32_t row = 0; row < kRows; ++row) {
    tile_regs_acquire();
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      cb_wait_front(0, 1);
      reduce_tile<kSum, kRow>(0, 1, 0, 0, 0); // adds to tile 0 of Dst
      cb_pop_front(0, 1);
    }
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
  cb_pop_front(1, 1);
  reduce_uninit();
}
