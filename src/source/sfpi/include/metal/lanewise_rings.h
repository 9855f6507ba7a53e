// Circular buffers as a core sees them: its own pointers, and the two counters that all share, in
// registers of the NoC overlay.
#pragma once

#include "chlkc_descriptors.h"
#include "hostdevcommon/kernel_structs.h"
#include "lanewise_metal.h"

/// Addresses count 16 bytes on a thread, bytes on a core that moves data.
#if defined(COMPILE_FOR_TRISC)
inline constexpr std::uint32_t cb_addr_shift = 4;
#else
inline constexpr std::uint32_t cb_addr_shift = 0;
#endif

struct LocalCBInterface {
  std::uint32_t fifo_size = 0, fifo_limit = 0, fifo_page_size = 0, fifo_num_pages = 0;
  std::uint32_t fifo_rd_ptr = 0, fifo_wr_ptr = 0;
  std::uint16_t tiles_acked = 0, tiles_received = 0;
  std::uint32_t fifo_wr_tile_ptr = 0; ///< of pages that are packed and not yet pushed
};

inline LocalCBInterface lanewise_rings[lanewise_metal::kCircularBuffers];

FORCE_INLINE LocalCBInterface& get_local_cb_interface(std::uint32_t cb) {
  return lanewise_rings[cb % lanewise_metal::kCircularBuffers];
}

namespace lanewise_metal {

inline constexpr u32 kOverlay = 0xFFB40000, kStream = 0x1000;

constexpr u32 received_address(u32 cb) {
  return kOverlay + cb * kStream + 4 * kReceived;
}
constexpr u32 acked_address(u32 cb) {
  return kOverlay + cb * kStream + 4 * kAcked;
}

FORCE_INLINE u32 received(u32 cb) {
  return *lanewise_register(received_address(cb));
}
FORCE_INLINE u32 acked(u32 cb) {
  return *lanewise_register(acked_address(cb));
}

inline void set_up_rings() {
  for (u32 cb = 0; cb < kCircularBuffers; ++cb) {
    const std::uint32_t(&config)[4] = lanewise_launch_data.circular_buffer[cb];
    LocalCBInterface& own = get_local_cb_interface(cb);
    own.fifo_size = config[1] >> cb_addr_shift;
    own.fifo_num_pages = config[2];
    own.fifo_page_size = config[3] >> cb_addr_shift;
    own.fifo_rd_ptr = own.fifo_wr_ptr = config[0] >> cb_addr_shift;
    own.fifo_limit = own.fifo_rd_ptr + own.fifo_size;
  }
}

/// A pointer `pages` further, or at the start again: of a core that moves data only where it comes
/// to the end exactly.
FORCE_INLINE void advance(const LocalCBInterface& ring, u32& pointer, u32 pages) {
  pointer += pages * ring.fifo_page_size;
  constexpr bool is_thread = cb_addr_shift != 0;
  if (is_thread ? pointer >= ring.fifo_limit : pointer == ring.fifo_limit)
    pointer -= ring.fifo_size;
}

FORCE_INLINE bool has_pages(u32 cb, u32 pages, std::uint16_t taken) {
  return static_cast<std::uint16_t>(received(cb) - taken) >= pages;
}

FORCE_INLINE bool has_room(u32 cb, u32 pages, std::uint16_t given) {
  const std::uint16_t held = static_cast<std::uint16_t>(given - acked(cb));
  return static_cast<std::uint16_t>(get_local_cb_interface(cb).fifo_num_pages - held) >= pages;
}

} // namespace lanewise_metal

/// What the description says of a circular buffer.
#if defined(UCK_CHLKC_PACK)
constexpr std::int32_t get_tile_size(std::int32_t cb) {
  return pack_tile_size[cb];
}
constexpr DataFormat get_dataformat(std::int32_t cb) {
  return static_cast<DataFormat>(pack_dst_format[cb]);
}
constexpr std::uint32_t get_tile_hw(std::int32_t cb) {
  return std::uint32_t{pack_tile_r_dim[cb]} * pack_tile_c_dim[cb];
}
#else
constexpr std::int32_t get_tile_size(std::int32_t cb) {
  return unpack_tile_size[cb];
}
constexpr DataFormat get_dataformat(std::int32_t cb) {
  return static_cast<DataFormat>(unpack_src_format[cb]);
}
constexpr std::uint32_t get_tile_hw(std::int32_t cb) {
  return std::uint32_t{unpack_tile_r_dim[cb]} * unpack_tile_c_dim[cb];
}
#endif
