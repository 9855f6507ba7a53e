// Reader: tile after tile of two buffers, into circular buffers 0 and 1.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const std::uint32_t first = get_arg_val<std::uint32_t>(0);
  const std::uint32_t second = get_arg_val<std::uint32_t>(1);
  const std::uint32_t tiles = get_arg_val<std::uint32_t>(2);
  constexpr auto first_args = TensorAccessorArgs<0>();
  constexpr auto second_args = TensorAccessorArgs<first_args.next_compile_time_args_offset()>();
  const auto from_first = TensorAccessor(first_args, first);
  const auto from_second = TensorAccessor(second_args, second);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read_page(tile, from_first, get_write_ptr(0));
    noc_async_read_page(tile, from_second, get_write_ptr(1));
    noc_async_read_barrier(); // both are there
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
