// Tiles to rows of numbers, on their way into Dst.
#pragma once

#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "lanewise_layout.h"

namespace ckernel {

ALWI void untilize_init(std::uint32_t cb) {
  UNPACK(lanewise_metal::set_up_rows(cb, lanewise_metal::kFaceSide,
                                     lanewise_metal::kTileData / lanewise_metal::kFaceSide));
  MATH(lanewise_metal::set_up_copy(cb));
}

/// A row of `tiles` tiles to as many pages of rows. So many of them share a section of Dst.
template <std::uint32_t tiles_of_dst = 1>
ALWI void untilize_block(std::uint32_t cb, std::uint32_t tiles, std::uint32_t output) {
  for (std::uint32_t first = 0; first < tiles; first += tiles_of_dst) {
    tile_regs_acquire();
    for (std::uint32_t i = 0; i < tiles_of_dst; ++i) {
      UNPACK(lanewise_metal::unpack_untilized(cb, tiles, first + i));
      UNPACK(if (lanewise_metal::copies_by_sum(cb)) lanewise_metal::unpack_zeros(1));
      MATH(lanewise_metal::copy(cb, i));
    }
    tile_regs_commit();
    tile_regs_wait();
    for (std::uint32_t i = 0; i < tiles_of_dst; ++i) pack_tile(i, output);
    tile_regs_release();
  }
}

ALWI void untilize_uninit(std::uint32_t cb) {
  UNPACK(lanewise_metal::leave_rows(cb));
}

} // namespace ckernel
