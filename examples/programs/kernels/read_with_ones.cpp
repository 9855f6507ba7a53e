// Reader: ones into circular buffer 1, by the core itself, and tile after tile of a buffer into 0.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr std::uint32_t kTwoOnes = 0x3F803F80; // of Float16_b
  const std::uint32_t buffer = get_arg_val<std::uint32_t>(0);
  const std::uint32_t tiles = get_arg_val<std::uint32_t>(1);
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), buffer);

  cb_reserve_back(1, 1);
  auto* const page = reinterpret_cast<volatile std::uint32_t*>(get_write_ptr(1));
  for (std::uint32_t i = 0; i < 512; ++i) page[i] = kTwoOnes;
  cb_push_back(1, 1);

  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    cb_reserve_back(0, 1);
    noc_async_read_page(tile, from, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}
