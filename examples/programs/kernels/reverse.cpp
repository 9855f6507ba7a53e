// Data movement alone: the pages of a buffer in reverse order, with the number of each added to its
// first word. One core reads, changes and writes them in L1, in the memory of circular buffer 0.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const std::uint32_t from_buffer = get_arg_val<std::uint32_t>(0);
  const std::uint32_t to_buffer = get_arg_val<std::uint32_t>(1);
  const std::uint32_t pages = get_arg_val<std::uint32_t>(2);
  constexpr auto from_args = TensorAccessorArgs<0>();
  constexpr auto to_args = TensorAccessorArgs<from_args.next_compile_time_args_offset()>();
  const auto from = TensorAccessor(from_args, from_buffer);
  const auto to = TensorAccessor(to_args, to_buffer);
  const std::uint32_t place = get_write_ptr(0);
  auto* const words = reinterpret_cast<volatile std::uint32_t*>(place);
  std::uint32_t sum = 0;
  for (std::uint32_t page = 0; page < pages; ++page) {
    noc_async_read_page(page, from, place);
    noc_async_read_barrier();
    words[0] = words[0] + page;
    sum += words[0];
    noc_async_write_page(pages - 1 - page, to, place);
    noc_async_write_barrier(); // before the next page comes to the same place
  }
  DPRINT("first words add up to {}\n", sum);
}
