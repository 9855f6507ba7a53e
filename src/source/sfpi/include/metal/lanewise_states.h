// Reads and writes of which a command buffer keeps a part from one to the next, and transaction
// ids, by which some of those under way are waited for.
#pragma once

#include "lanewise_noc.h"

namespace lanewise_metal {

/// What the following reads, or writes, are counted under.
FORCE_INLINE void set_tag(u32 noc, u32 buffer, u32 tag) {
  constexpr u32 kTagBit = 10;
  *niu(noc, buffer, kTag) = tag << kTagBit;
}
FORCE_INLINE void wait_for_tag(u32 noc, u32 tag) {
  while (status(noc, kOutstandingOfTag + tag) != 0) {
  }
}
FORCE_INLINE void wait_until_tag_sent(u32 noc, u32 tag) {
  while (status(noc, kOutgoingOfTag + tag) != 0) {
  }
}

/// The rest of a read whose place is set: an address there, one here.
FORCE_INLINE void read_from_place(u32 noc, u32 from, u32 to) {
  *niu(noc, kReadBuffer, kTargetLow) = from;
  *niu(noc, kReadBuffer, kReturnLow) = to;
  *niu(noc, kReadBuffer, kSend) = 1;
  ++asked[noc].reads;
}
FORCE_INLINE void write_to_place(u32 noc, bool posted, u32 from, u32 to) {
  *niu(noc, kWriteBuffer, kTargetLow) = from;
  *niu(noc, kWriteBuffer, kReturnLow) = to;
  *niu(noc, kWriteBuffer, kSend) = 1;
  count_write(noc, posted);
}

FORCE_INLINE void set_read_place(u32 noc, std::uint64_t from) {
  set_place(noc, kReadBuffer, false, from);
  set_place(noc, kReadBuffer, true, noc_address(own_place(), 0));
  *niu(noc, kReadBuffer, kControl) = kIsAnswered;
}
FORCE_INLINE void set_write_place(u32 noc, std::uint64_t to, bool posted, u32 channel) {
  set_place(noc, kWriteBuffer, false, noc_address(own_place(), 0));
  set_place(noc, kWriteBuffer, true, to);
  *niu(noc, kWriteBuffer, kControl) = write_control(posted, channel);
}

} // namespace lanewise_metal

// ---------------------------------------------------------------- With a state

/// Where reads come from; then each with the addresses there and here, and its bytes.
FORCE_INLINE void noc_async_read_set_state(std::uint64_t from, std::uint8_t noc = noc_index) {
  lanewise_metal::set_read_place(noc, from);
}
template <bool = true>
FORCE_INLINE void noc_async_read_with_state(std::uint32_t from, std::uint32_t to,
                                            std::uint32_t bytes, std::uint8_t noc = noc_index) {
  using namespace lanewise_metal;
  for (u32 done = 0; done < bytes || done == 0; done += kPacketBytes) {
    *niu(noc, kReadBuffer, kLength) = bytes - done < kPacketBytes ? bytes - done : kPacketBytes;
    read_from_place(noc, from + done, to + done);
  }
}

/// Where they come from, and how long each is.
template <bool = false>
FORCE_INLINE void noc_async_read_one_packet_set_state(std::uint64_t from, std::uint32_t bytes,
                                                      std::uint32_t = 0,
                                                      std::uint8_t noc = noc_index) {
  lanewise_metal::set_read_place(noc, from);
  *lanewise_metal::niu(noc, lanewise_metal::kReadBuffer, lanewise_metal::kLength) = bytes;
}
template <bool = true, bool = false>
FORCE_INLINE void noc_async_read_one_packet_with_state(std::uint32_t from, std::uint32_t to,
                                                       std::uint32_t = 0,
                                                       std::uint8_t noc = noc_index) {
  lanewise_metal::read_from_place(noc, from, to);
}

template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_set_state(
    std::uint64_t to, std::uint32_t bytes, std::uint8_t noc = noc_index,
    std::uint8_t channel = lanewise_metal::kWriteChannel) {
  lanewise_metal::set_write_place(noc, to, posted, channel);
  *lanewise_metal::niu(noc, lanewise_metal::kWriteBuffer, lanewise_metal::kLength) = bytes;
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_state(std::uint32_t from, std::uint32_t to,
                                                        std::uint8_t noc = noc_index) {
  lanewise_metal::write_to_place(noc, posted, from, to);
}

// ---------------------------------------------------------------- Transaction ids

FORCE_INLINE void noc_async_read_set_trid(std::uint32_t id = 0, std::uint8_t noc = noc_index) {
  lanewise_metal::set_tag(noc, lanewise_metal::kReadBuffer, id);
}
FORCE_INLINE void noc_async_write_set_trid(std::uint32_t id = 0, std::uint8_t noc = noc_index) {
  lanewise_metal::set_tag(noc, lanewise_metal::kWriteBuffer, id);
}

/// `base` + `from` is the address there.
template <bool = false, bool = false>
FORCE_INLINE void noc_async_read_one_packet_with_state_with_trid(std::uint32_t base,
                                                                 std::uint32_t from,
                                                                 std::uint32_t to,
                                                                 std::uint32_t id = 0,
                                                                 std::uint8_t noc = noc_index) {
  lanewise_metal::set_tag(noc, lanewise_metal::kReadBuffer, id);
  lanewise_metal::read_from_place(noc, base + from, to);
}
/// The command buffer is always that of writes.
template <bool = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid(
    std::uint32_t from, std::uint64_t to, std::uint32_t bytes, std::uint32_t id,
    std::uint8_t = lanewise_metal::kWriteBuffer, std::uint8_t noc = noc_index,
    std::uint8_t channel = lanewise_metal::kWriteChannel) {
  lanewise_metal::set_tag(noc, lanewise_metal::kWriteBuffer, id);
  lanewise_metal::write(from, to, bytes, noc, posted, channel);
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_set_state(
    std::uint64_t to, std::uint8_t = lanewise_metal::kWriteBuffer, std::uint8_t noc = noc_index,
    std::uint8_t channel = lanewise_metal::kWriteChannel) {
  lanewise_metal::set_write_place(noc, to, posted, channel);
}
template <bool = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_with_state(
    std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t id,
    std::uint8_t = lanewise_metal::kWriteBuffer, std::uint8_t noc = noc_index) {
  lanewise_metal::set_tag(noc, lanewise_metal::kWriteBuffer, id);
  *lanewise_metal::niu(noc, lanewise_metal::kWriteBuffer, lanewise_metal::kLength) = bytes;
  lanewise_metal::write_to_place(noc, posted, from, to);
}

FORCE_INLINE void noc_async_read_barrier_with_trid(std::uint32_t id, std::uint8_t noc = noc_index) {
  lanewise_metal::wait_for_tag(noc, id);
}
FORCE_INLINE void noc_async_write_barrier_with_trid(std::uint32_t id,
                                                    std::uint8_t noc = noc_index) {
  lanewise_metal::wait_for_tag(noc, id);
}
FORCE_INLINE void noc_async_write_flushed_with_trid(std::uint32_t id,
                                                    std::uint8_t noc = noc_index) {
  lanewise_metal::wait_until_tag_sent(noc, id);
}
/// Of the ids in a mask nothing is outstanding from here on.
FORCE_INLINE void reset_noc_trid_barrier_counter(std::uint32_t ids = ~0U,
                                                 std::uint32_t noc = noc_index) {
  *lanewise_metal::niu(noc, 0, lanewise_metal::kClearCounts) = ids;
}
