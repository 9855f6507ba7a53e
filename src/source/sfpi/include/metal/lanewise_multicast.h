// Writes to a rectangle of cores, and increments of their semaphores.
#pragma once

#include "lanewise_noc.h"

namespace lanewise_metal {

/// `receivers` counts the sender if it receives, too.
inline void multicast(u32 from, std::uint64_t to, u32 bytes, u32 receivers, u32 noc, bool linked,
                      bool with_sender) {
  constexpr u32 kMulticast = 1 << 5, kLinked = 1 << 6, kReservesPath = 1 << 8,
                kWithSender = 1 << 17, kChannel = 4;
  do {
    const u32 now = bytes < kPacketBytes ? bytes : kPacketBytes;
    set_end(noc, kWriteBuffer, false, noc_address(own_place(), from));
    set_end(noc, kWriteBuffer, true, to);
    send(noc, kWriteBuffer,
         write_control(false, kChannel) | kMulticast | kReservesPath | (linked ? kLinked : 0) |
             (with_sender ? kWithSender : 0),
         now);
    lanewise_expects(noc, receivers);
    count_write(noc, false, receivers);
    from += now;
    to += now;
    bytes -= now;
  } while (bytes != 0);
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
