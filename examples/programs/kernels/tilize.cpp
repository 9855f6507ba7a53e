// Compute: rows of numbers in circular buffer 0, 32 at once, to tiles in 16.
#include <cstdint>

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tilize.h"

void kernel_main() {
  constexpr std::uint32_t kBlocks = get_compile_time_arg_val(0);
  constexpr std::uint32_t kTiles = get_compile_time_arg_val(1); // beside each other
  compute_kernel_hw_startup(0, 16);
  tilize_init(0, kTiles, 16);
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    cb_wait_front(0, kTiles);
    cb_reserve_back(16, kTiles);
    tilize_block(0, kTiles, 16);
    cb_push_back(16, kTiles);
    cb_pop_front(0, kTiles);
  }
  tilize_uninit(0, 16);
}
