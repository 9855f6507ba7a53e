// Takes a page that another core sends, multiplies its numbers, and writes it to DRAM.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto to_args = TensorAccessorArgs<0>();
  constexpr uint32_t page = 0;
  const uint32_t number = get_arg_val<uint32_t>(1); // of the page that is this core's
  const uint32_t sender_x = get_arg_val<uint32_t>(2), sender_y = get_arg_val<uint32_t>(3);
  const uint32_t bytes = get_tile_size(page);
  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(0), bytes);

  cb_reserve_back(page, 1);
  const uint32_t here = get_write_ptr(page); // the same address on all cores
  noc_semaphore_inc(get_noc_addr(sender_x, sender_y, get_semaphore(0)), 1);
  noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1)), 1);

  auto* const numbers = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(here);
  const uint32_t count = bytes / sizeof(uint32_t);
  for (uint32_t i = 0; i < count; ++i) numbers[i] *= number + 1;
  (void)numbers[count - 1]; // what was stored is there for the NoC once it is loaded
  noc_async_write_page(number, to, here);
  noc_async_write_barrier();
  noc_async_atomic_barrier();
}
