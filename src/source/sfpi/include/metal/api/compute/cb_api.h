// Circular buffers of a compute kernel: UNPACK takes pages, PACK gives them. Each function tells
// what it is about to do, which is what programs are checked by (lanewise_calls.h).
#pragma once

#include "lanewise_thread.h"

namespace ckernel {

ALWI void cb_wait_front(std::uint32_t cb, std::uint32_t pages) {
#if defined(UCK_CHLKC_UNPACK)
  lanewise_waits(cb, pages);
  while (!lanewise_metal::has_pages(cb, pages, get_local_cb_interface(cb).tiles_acked)) {
  }
#endif
}

ALWI void cb_pop_front(std::uint32_t cb, std::uint32_t pages) {
#if defined(UCK_CHLKC_UNPACK)
  LocalCBInterface& ring = get_local_cb_interface(cb);
  lanewise_pops(cb, pages);
  ring.tiles_acked += pages;
  lanewise_metal::store_counter(lanewise_metal::acked_address(cb), ring.tiles_acked,
                                lanewise_metal::kUnpacks);
  lanewise_metal::advance(ring, ring.fifo_rd_ptr, pages);
#endif
}

ALWI void cb_reserve_back(std::uint32_t cb, std::uint32_t pages) {
#if defined(UCK_CHLKC_PACK)
  lanewise_reserves(cb, pages);
  while (!lanewise_metal::has_room(cb, pages, get_local_cb_interface(cb).tiles_received)) {
  }
#endif
}

ALWI void cb_push_back(std::uint32_t cb, std::uint32_t pages) {
#if defined(UCK_CHLKC_PACK)
  LocalCBInterface& ring = get_local_cb_interface(cb);
  lanewise_pushes(cb, pages);
  ring.tiles_received += pages;
  lanewise_metal::store_counter(lanewise_metal::received_address(cb), ring.tiles_received,
                                lanewise_metal::kPacks);
  lanewise_metal::advance(ring, ring.fifo_wr_ptr, pages);
  ring.fifo_wr_tile_ptr = 0;
#endif
}

} // namespace ckernel
