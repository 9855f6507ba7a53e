// Writes to a rectangle of cores, and increments of their semaphores.
#pragma once

#include "lanewise_noc.h"

#define NOC_UNICAST_WRITE_VC 1
#define NOC_MULTICAST_WRITE_VC 4

namespace lanewise_metal {

/// A multicast keeps its buffer until the one before it has left.
FORCE_INLINE void await_buffer(u32 noc, u32 buffer) {
  while ((*niu(noc, buffer, kSend) & 1) != 0) {
  }
}

/// `receivers` counts the sender if it receives, too.
inline void multicast(u32 from, std::uint64_t to, u32 bytes, u32 receivers, u32 noc, bool linked,
                      bool with_sender) {
  constexpr u32 kLinked = 1 << 6, kWithSender = 1 << 17;
  do {
    const u32 now = bytes < kPacketBytes ? bytes : kPacketBytes;
    await_buffer(noc, kWriteBuffer);
    set_end(noc, kWriteBuffer, false, noc_address(own_place(), from));
    set_end(noc, kWriteBuffer, true, to);
    send(noc, kWriteBuffer,
         write_control(false, kManyChannel) | kIsToMany | kReservesPath | (linked ? kLinked : 0) |
             (with_sender ? kWithSender : 0),
         now);
    lanewise_expects(noc, receivers);
    count_write(noc, false, receivers);
    from += now;
    to += now;
    bytes -= now;
  } while (bytes != 0);
}

/// Always with answers: posted ones may hang on silicon.
inline void increment_many(std::uint64_t address, u32 by, u32 receivers, u32 noc, u32 channel) {
  await_buffer(noc, kAtomicBuffer);
  increment(address, by, noc, channel, kIsAnswered | kIsToMany | kReservesPath);
  lanewise_expects(noc, receivers);
  asked[noc].atomics += receivers;
}

} // namespace lanewise_metal

FORCE_INLINE std::uint64_t get_noc_multicast_addr(std::uint32_t first_x, std::uint32_t first_y,
                                                  std::uint32_t last_x, std::uint32_t last_y,
                                                  std::uint32_t address, std::uint8_t = noc_index) {
  using namespace lanewise_metal;
  const u32 first = first_y << kYBit | first_x, last = last_y << kYBit | last_x;
  return noc_address(first << 2 * kYBit | last, address);
}

template <std::uint32_t max_page_size = 0>
FORCE_INLINE void noc_async_write_multicast(std::uint32_t from, std::uint64_t to,
                                            std::uint32_t bytes, std::uint32_t receivers,
                                            bool linked = false, std::uint8_t noc = noc_index) {
  lanewise_metal::multicast(from, to, bytes, receivers, noc, linked, false);
}
FORCE_INLINE void noc_async_write_multicast_loopback_src(std::uint32_t from, std::uint64_t to,
                                                         std::uint32_t bytes,
                                                         std::uint32_t receivers,
                                                         bool linked = false,
                                                         std::uint8_t noc = noc_index) {
  lanewise_metal::multicast(from, to, bytes, receivers, noc, linked, true);
}

// ---------------------------------------------------------------- Without a part

namespace lanewise_metal {

/// Whether the chip's NIUs have a register for it.
template <u32 place>
constexpr void check_excludes() {
  static_assert(place != 0, "this chip's NoC cannot exclude a part of a rectangle: send to two");
}

} // namespace lanewise_metal

/// The part of a rectangle from a core on: right of it, or left (0), and down, or up (0).
template <std::uint32_t place = lanewise_metal::kExcluded>
FORCE_INLINE std::uint32_t get_noc_exclude_region(std::uint32_t x, std::uint32_t y,
                                                  std::uint32_t right, std::uint32_t down,
                                                  std::uint8_t noc = noc_index) {
  lanewise_metal::check_excludes<place>();
  constexpr std::uint32_t kX = 8, kY = 14, kRight = 20, kDown = 21, kEnabled = 22;
  // NoC 1 counts from the other corner.
  if (noc == 1) right = 1 - right, down = 1 - down;
  return 1U << kEnabled | down << kDown | right << kRight | y << kY | x << kX;
}
/// The sender does not receive.
template <std::uint32_t place = lanewise_metal::kExcluded>
FORCE_INLINE void noc_async_write_multicast_exclude_region(std::uint32_t from, std::uint64_t to,
                                                           std::uint32_t bytes,
                                                           std::uint32_t receivers,
                                                           std::uint32_t excluded, bool linked,
                                                           std::uint8_t noc) {
  using namespace lanewise_metal;
  check_excludes<place>();
  *niu(noc, kWriteBuffer, place) = excluded;
  multicast(from, to, bytes, receivers, noc, linked, false);
  *niu(noc, kWriteBuffer, place) = 0;
}
template <std::uint32_t place = lanewise_metal::kExcluded>
FORCE_INLINE void noc_async_write_multicast_exclude_region(std::uint32_t from, std::uint64_t to,
                                                           std::uint32_t bytes,
                                                           std::uint32_t receivers,
                                                           std::uint32_t excluded,
                                                           bool linked = false, bool = true) {
  noc_async_write_multicast_exclude_region<place>(from, to, bytes, receivers, excluded, linked,
                                                  std::uint8_t{noc_index});
}

// ---------------------------------------------------------------- Semaphores

/// What the word at `from` holds when it leaves.
FORCE_INLINE void noc_semaphore_set_multicast(std::uint32_t from, std::uint64_t to,
                                              std::uint32_t receivers, bool linked = false,
                                              std::uint8_t noc = noc_index) {
  lanewise_metal::multicast(from, to, sizeof(std::uint32_t), receivers, noc, linked, false);
}
FORCE_INLINE void noc_semaphore_set_multicast_loopback_src(std::uint32_t from, std::uint64_t to,
                                                           std::uint32_t receivers,
                                                           bool linked = false,
                                                           std::uint8_t noc = noc_index) {
  lanewise_metal::multicast(from, to, sizeof(std::uint32_t), receivers, noc, linked, true);
}
/// The sender does not receive.
template <bool posted = false>
FORCE_INLINE void noc_semaphore_inc_multicast(std::uint64_t to, std::uint32_t by,
                                              std::uint32_t receivers, std::uint8_t noc = noc_index,
                                              std::uint8_t channel = NOC_MULTICAST_WRITE_VC) {
  lanewise_metal::increment_many(to, by, receivers, noc, channel);
}
