// Reader: tile after tile of a buffer, into circular buffer 0.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const std::uint32_t buffer = get_arg_val<std::uint32_t>(0);
  const std::uint32_t tiles = get_arg_val<std::uint32_t>(1);
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), buffer);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    cb_reserve_back(0, 1);
    noc_async_read_page(tile, from, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}
