// Reader of a matrix product: for each tile of the result a row of tiles of the left matrix and a
// column of the right one, into circular buffers 0 and 1.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const std::uint32_t left = get_arg_val<std::uint32_t>(0);
  const std::uint32_t right = get_arg_val<std::uint32_t>(1);
  constexpr std::uint32_t kRows = get_compile_time_arg_val(0);
  constexpr std::uint32_t kInner = get_compile_time_arg_val(1);
  constexpr std::uint32_t kColumns = get_compile_time_arg_val(2);
  constexpr auto left_args = TensorAccessorArgs<3>();
  constexpr auto right_args = TensorAccessorArgs<left_args.next_compile_time_args_offset()>();
  const auto from_left = TensorAccessor(left_args, left);
  const auto from_right = TensorAccessor(right_args, right);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      for (std::uint32_t k = 0; k < kInner; ++k) {
        cb_reserve_back(0, 1);
        cb_reserve_back(1, 1);
        noc_async_read_page(row * kInner + k, from_left, get_write_ptr(0));
        noc_async_read_page(k * kColumns + column, from_right, get_write_ptr(1));
        noc_async_read_barrier();
        cb_push_back(0, 1);
        cb_push_back(1, 1);
      }
    }
  }
}
