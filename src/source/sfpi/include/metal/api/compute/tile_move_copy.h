// A tile of a circular buffer to Dst.
#pragma once

#include "lanewise_compute.h"

namespace ckernel {

ALWI void copy_tile_to_dst_init_short(std::uint32_t cb = 0, std::uint32_t transposes = 0) {
  UNPACK(lanewise_metal::set_transpose(transposes != 0));
  MATH(lanewise_metal::set_up_copy());
}
ALWI void copy_tile_init(std::uint32_t cb = 0) {
  copy_tile_to_dst_init_short(cb);
}

/// From a circular buffer of another format.
ALWI void copy_tile_to_dst_init_short_with_dt(std::uint32_t, std::uint32_t cb,
                                              std::uint32_t transposes = 0) {
  UNPACK(lanewise_metal::change_unpacked(0, cb));
  MATH(lanewise_metal::change_multiplied(cb, cb));
  copy_tile_to_dst_init_short(cb, transposes);
}

ALWI void copy_tile(std::uint32_t cb, std::uint32_t tile, std::uint32_t dst_tile) {
  UNPACK(lanewise_metal::unpack_a(cb, tile, DST_ACCUM_MODE));
  MATH(lanewise_metal::copy(dst_tile));
}

} // namespace ckernel
