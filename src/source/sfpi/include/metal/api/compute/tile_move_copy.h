// A tile of a circular buffer to Dst.
#pragma once

#include "api/compute/reconfig_data_format.h"

namespace ckernel {

ALWI void copy_tile_to_dst_init_short(std::uint32_t cb = 0, std::uint32_t transposes = 0) {
  UNPACK(lanewise_metal::set_transpose(transposes != 0));
  MATH(lanewise_metal::set_up_copy(cb));
}
ALWI void copy_tile_init(std::uint32_t cb = 0) {
  copy_tile_to_dst_init_short(cb);
}

/// From a circular buffer of another format.
ALWI void copy_tile_to_dst_init_short_with_dt(std::uint32_t before, std::uint32_t cb,
                                              std::uint32_t transposes = 0) {
  reconfig_data_format_srca(before, cb);
  copy_tile_to_dst_init_short(cb, transposes);
}

ALWI void copy_tile(std::uint32_t cb, std::uint32_t tile, std::uint32_t dst_tile) {
#if !defined(UCK_CHLKC_PACK)
  if (lanewise_metal::goes_to_dst(cb)) {
    UNPACK(lanewise_metal::unpack_to_dst(cb, tile, dst_tile));
    MATH(lanewise_metal::offer_dst());
    return;
  }
#endif
  UNPACK(lanewise_metal::unpack_a(cb, tile));
  MATH(lanewise_metal::copy(cb, dst_tile));
}

/// Tiles one after the other.
ALWI void copy_block_matmul_partials(std::uint32_t cb, std::uint32_t tile, std::uint32_t dst_tile,
                                     std::uint32_t tiles) {
  for (std::uint32_t i = 0; i < tiles; ++i) copy_tile(cb, tile + i, dst_tile + i);
}

} // namespace ckernel
