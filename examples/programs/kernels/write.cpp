// Writer: tile after tile from circular buffer 16 to a buffer.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const std::uint32_t buffer = get_arg_val<std::uint32_t>(0);
  const std::uint32_t tiles = get_arg_val<std::uint32_t>(1);
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), buffer);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(16, 1);
    noc_async_write_page(tile, to, get_read_ptr(16));
    noc_async_writes_flushed(); // it has left, and its page may be filled again
    cb_pop_front(16, 1);
  }
  noc_async_write_barrier();
}
