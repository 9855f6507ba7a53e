// Reads a page from DRAM and sends it to a row of cores, once all of them are ready for it.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto from_args = TensorAccessorArgs<0>();
  constexpr uint32_t page = 0;
  const uint32_t first_x = get_arg_val<uint32_t>(1), last_x = get_arg_val<uint32_t>(2);
  const uint32_t y = get_arg_val<uint32_t>(3), receivers = get_arg_val<uint32_t>(4);
  const uint32_t bytes = get_tile_size(page);
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(0), bytes);

  cb_reserve_back(page, 1);
  const uint32_t here = get_write_ptr(page);
  noc_async_read_page(0, from, here);
  noc_async_read_barrier();

  auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
  auto* const sent = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(1));
  noc_semaphore_wait(ready, receivers);
  const uint64_t all = get_noc_multicast_addr(first_x, y, last_x, y, here);
  noc_async_write_multicast(here, all, bytes, receivers);
  // On the same NoC and channel, so that it comes behind the page.
  const uint64_t signal = get_noc_multicast_addr(first_x, y, last_x, y, get_semaphore(1));
  noc_semaphore_set(sent, 1);
  noc_semaphore_set_multicast(get_semaphore(1), signal, receivers);
  noc_async_write_barrier();
}
