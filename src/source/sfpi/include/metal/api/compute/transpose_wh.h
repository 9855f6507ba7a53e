// A tile with rows and columns exchanged, to Dst.
#pragma once

#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

ALWI void transpose_wh_init_short(std::uint32_t cb) {
  copy_tile_to_dst_init_short(cb, 1);
}
ALWI void transpose_wh_init(std::uint32_t cb, std::uint32_t output) {
  lanewise_metal::set_up(cb, cb, output);
  transpose_wh_init_short(cb);
}
ALWI void transpose_wh_tile(std::uint32_t cb, std::uint32_t tile, std::uint32_t dst_tile) {
  copy_tile(cb, tile, dst_tile);
}

} // namespace ckernel
