// Semaphores and multicasts as objects: two cores say that they are ready, take a page in which 7
// comes, and add to it what two of them hold.
#include <cstdint>
#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
void kernel_main() {
  const uint32_t own = get_arg_val<uint32_t>(2), y = get_arg_val<uint32_t>(4);
  const uint32_t x = get_arg_val<uint32_t>(3), second = get_arg_val<uint32_t>(5),
                 last = get_arg_val<uint32_t>(6);
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 64);
  Noc noc;
  CircularBuffer pages(0);
  Semaphore<> ready(0), go(1), value(2), copy(3), counted(4);
  auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(pages.get_write_ptr());
  auto* const copied = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(3));
  auto* const raised = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(2));
  if (own == 0) {
    ready.down(2);
    for (uint32_t i = 0; i < 16; ++i) words[i] = 7;
    (void)words[15]; // the stores are there
    noc.async_write_multicast(pages, pages, 64, 2, {},
                              {.noc_x_start = second,
                               .noc_y_start = y,
                               .noc_x_end = last,
                               .noc_y_end = y,
                               .offset_bytes = 0});
    noc.async_write_multicast<NocOptions::MCAST_INCL_SRC>(pages, MulticastEndpoint{}, 64, 3, {},
                                                          {.noc_x_start = x,
                                                           .noc_y_start = y,
                                                           .noc_x_end = last,
                                                           .noc_y_end = y,
                                                           .addr = get_write_ptr(0) + 64});
    value.set(40);
    value.relay_multicast(noc, copy, second, y, last, y, 2);
    value.relay_unicast(noc, counted, last, y);
    noc.async_writes_flushed();
    value.up(1);
    value.set_multicast(noc, second, y, last, y, 2);
    value.inc_multicast(noc, second, y, last, y, 100, 2);
    go.inc_multicast(noc, second, y, last, y, 3, 2);
    noc.async_write_barrier();
    noc.async_atomic_barrier();
    return;
  }
  ready.up(noc, x, y, 1);
  go.wait_min(3);
  go.down(2);
  go.wait(1);
  words[15] += *copied + *raised;
  (void)words[15];
  noc.async_atomic_barrier();
  noc.async_write(pages, to, 64, {}, {.page_id = own - 1});
  noc.async_write_barrier();
}
