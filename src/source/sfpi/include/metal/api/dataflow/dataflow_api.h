// What kernels that move data call: arguments, circular buffers, reads and writes of the NoC,
// semaphores. lanewise_states.h has reads and writes with a state and transaction ids,
// lanewise_multicast.h those to several cores.
#pragma once

#include "api/debug/dprint.h"
#include "api/tensor/tensor_accessor.h"
#include "hostdevcommon/common_values.hpp"
#include "lanewise_arguments.h"
#include "lanewise_multicast.h"
#include "lanewise_noc.h"
#include "lanewise_rings.h"
#include "lanewise_states.h"

// ---------------------------------------------------------------- Circular buffers
// Each function tells what it is about to do, which is what programs are checked by
// (lanewise_calls.h).

FORCE_INLINE std::uint32_t get_write_ptr(std::uint32_t cb) {
  return get_local_cb_interface(cb).fifo_wr_ptr;
}
FORCE_INLINE std::uint32_t get_read_ptr(std::uint32_t cb) {
  return get_local_cb_interface(cb).fifo_rd_ptr;
}

FORCE_INLINE bool cb_pages_available_at_front(std::uint32_t cb, std::uint32_t pages) {
  const auto taken = static_cast<std::uint16_t>(lanewise_metal::acked(cb));
  return lanewise_metal::has_pages(cb, pages, taken) && lanewise_waits(cb, pages);
}
FORCE_INLINE void cb_wait_front(std::uint32_t cb, std::uint32_t pages) {
  lanewise_waits(cb, pages);
  const auto taken = static_cast<std::uint16_t>(lanewise_metal::acked(cb));
  while (!lanewise_metal::has_pages(cb, pages, taken)) {
  }
}
FORCE_INLINE void cb_pop_front(std::uint32_t cb, std::uint32_t pages) {
  lanewise_pops(cb, pages);
  *lanewise_register(lanewise_metal::acked_address(cb)) = lanewise_metal::acked(cb) + pages;
  LocalCBInterface& ring = get_local_cb_interface(cb);
  lanewise_metal::advance(ring, ring.fifo_rd_ptr, pages);
}

FORCE_INLINE bool cb_pages_reservable_at_back(std::uint32_t cb, std::uint32_t pages) {
  const auto given = static_cast<std::uint16_t>(lanewise_metal::received(cb));
  return lanewise_metal::has_room(cb, pages, given) && lanewise_reserves(cb, pages);
}
FORCE_INLINE void cb_reserve_back(std::uint32_t cb, std::uint32_t pages) {
  lanewise_reserves(cb, pages);
  const auto given = static_cast<std::uint16_t>(lanewise_metal::received(cb));
  while (!lanewise_metal::has_room(cb, pages, given)) {
  }
}
FORCE_INLINE void cb_push_back(std::uint32_t cb, std::uint32_t pages) {
  lanewise_pushes(cb, pages);
  *lanewise_register(lanewise_metal::received_address(cb)) = lanewise_metal::received(cb) + pages;
  LocalCBInterface& ring = get_local_cb_interface(cb);
  lanewise_metal::advance(ring, ring.fifo_wr_ptr, pages);
}

// ---------------------------------------------------------------- Addresses

FORCE_INLINE std::uint64_t get_noc_addr(std::uint32_t x, std::uint32_t y, std::uint32_t address,
                                        std::uint8_t = noc_index) {
  return lanewise_metal::noc_address(y << lanewise_metal::kYBit | x, address);
}
/// Of this core.
FORCE_INLINE std::uint64_t get_noc_addr(std::uint32_t address, std::uint8_t = noc_index) {
  return lanewise_metal::noc_address(lanewise_metal::own_place(), address);
}
/// Of a page of a buffer.
template <class Accessor>
FORCE_INLINE auto get_noc_addr(std::uint32_t page, const Accessor& accessor,
                               std::uint32_t offset = 0, std::uint8_t noc = noc_index)
    -> decltype(accessor.get_noc_addr(page, offset, noc)) {
  return accessor.get_noc_addr(page, offset, noc);
}
template <bool DRAM>
FORCE_INLINE std::uint64_t get_noc_addr_from_bank_id(std::uint32_t bank, std::uint32_t address,
                                                     std::uint8_t noc = noc_index) {
  return lanewise_metal::bank_address(DRAM, noc, bank, address);
}

// ---------------------------------------------------------------- Reads and writes

template <std::uint32_t max_page_size = 0, bool = true>
FORCE_INLINE void noc_async_read(std::uint64_t from, std::uint32_t to, std::uint32_t bytes,
                                 std::uint8_t noc = noc_index, std::uint32_t = 0) {
  lanewise_metal::read(from, to, bytes, noc);
}
FORCE_INLINE void noc_async_read_one_packet(std::uint64_t from, std::uint32_t to,
                                            std::uint32_t bytes, std::uint8_t noc = noc_index,
                                            std::uint32_t = 0) {
  lanewise_metal::read(from, to, bytes, noc);
}
template <std::uint32_t max_page_size = 0, bool = true, bool posted = false>
FORCE_INLINE void noc_async_write(std::uint32_t from, std::uint64_t to, std::uint32_t bytes,
                                  std::uint8_t noc = noc_index,
                                  std::uint32_t channel = lanewise_metal::kWriteChannel) {
  lanewise_metal::write(from, to, bytes, noc, posted, channel);
}
template <bool = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet(
    std::uint32_t from, std::uint64_t to, std::uint32_t bytes, std::uint8_t noc = noc_index,
    std::uint32_t channel = lanewise_metal::kWriteChannel) {
  lanewise_metal::write(from, to, bytes, noc, posted, channel);
}

template <class Accessor>
FORCE_INLINE void noc_async_read_page(std::uint32_t page, const Accessor& from, std::uint32_t to,
                                      std::uint32_t offset = 0, std::uint8_t noc = noc_index) {
  lanewise_metal::read(from.get_noc_addr(page, offset, noc), to,
                       lanewise_metal::page_bytes(from, 0), noc);
}
template <class Accessor>
FORCE_INLINE void noc_async_write_page(std::uint32_t page, const Accessor& to, std::uint32_t from,
                                       std::uint32_t bytes = 0, std::uint32_t offset = 0,
                                       std::uint8_t noc = noc_index) {
  lanewise_metal::write(from, to.get_noc_addr(page, offset, noc),
                        bytes != 0 ? bytes : lanewise_metal::page_bytes(to, 0), noc);
}
template <class Accessor>
FORCE_INLINE void noc_async_read_tile(std::uint32_t tile, const Accessor& from, std::uint32_t to,
                                      std::uint32_t offset = 0, std::uint8_t noc = noc_index) {
  noc_async_read_page(tile, from, to, offset, noc);
}
template <class Accessor>
FORCE_INLINE void noc_async_write_tile(std::uint32_t tile, const Accessor& to, std::uint32_t from,
                                       std::uint8_t noc = noc_index) {
  noc_async_write_page(tile, to, from, 0, 0, noc);
}

FORCE_INLINE void noc_async_read_barrier(std::uint8_t noc = noc_index) {
  lanewise_metal::wait_for_reads(noc);
}
FORCE_INLINE void noc_async_write_barrier(std::uint8_t noc = noc_index) {
  lanewise_metal::wait_for_acks(noc);
}
FORCE_INLINE void noc_async_writes_flushed(std::uint8_t noc = noc_index) {
  lanewise_metal::wait_until_sent(noc);
}
FORCE_INLINE void noc_async_posted_writes_flushed(std::uint8_t noc = noc_index) {
  lanewise_metal::wait_until_posted(noc);
}
FORCE_INLINE void noc_async_atomic_barrier(std::uint8_t noc = noc_index) {
  lanewise_metal::wait_for_atomics(noc);
}
FORCE_INLINE void noc_async_full_barrier(std::uint8_t noc = noc_index) {
  lanewise_metal::wait_for_reads(noc);
  lanewise_metal::wait_for_acks(noc);
  lanewise_metal::wait_until_posted(noc);
  lanewise_metal::wait_for_atomics(noc);
}

/// To an L1; not to DRAM.
FORCE_INLINE void noc_inline_dw_write(std::uint64_t to, std::uint32_t value, std::uint8_t = 0xF,
                                      std::uint8_t noc = noc_index) {
  lanewise_metal::write_word(to, value, noc);
}

// ---------------------------------------------------------------- Semaphores

FORCE_INLINE std::uint32_t get_semaphore(std::uint32_t id) {
  constexpr std::uint32_t kBytes = 16;
  return lanewise_launch_data.semaphores + id * kBytes;
}
FORCE_INLINE void noc_semaphore_set(volatile std::uint32_t* semaphore, std::uint32_t value) {
  *semaphore = value;
}
FORCE_INLINE void noc_semaphore_wait(volatile std::uint32_t* semaphore, std::uint32_t value) {
  const lanewise_wait now(semaphore, value, false);
  do {
    invalidate_l1_cache();
  } while (*semaphore != value);
}
FORCE_INLINE void noc_semaphore_wait_min(volatile std::uint32_t* semaphore, std::uint32_t value) {
  const lanewise_wait now(semaphore, value, true);
  do {
    invalidate_l1_cache();
  } while (*semaphore < value);
}
template <bool posted = false>
FORCE_INLINE void noc_semaphore_inc(std::uint64_t semaphore, std::uint32_t by,
                                    std::uint8_t noc = noc_index,
                                    std::uint8_t channel = NOC_UNICAST_WRITE_VC) {
  lanewise_metal::increment_one(semaphore, by, noc, posted, channel);
}
/// What the word at `from` holds when it leaves.
FORCE_INLINE void noc_semaphore_set_remote(std::uint32_t from, std::uint64_t to,
                                           std::uint8_t noc = noc_index) {
  lanewise_metal::write(from, to, sizeof(std::uint32_t), noc);
}
