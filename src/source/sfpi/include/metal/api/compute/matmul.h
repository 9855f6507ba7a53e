// Products of tiles, which add up in Dst.
#pragma once

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/pack.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

/// `transposes`: the right factor.
ALWI void matmul_init(std::uint32_t, std::uint32_t, std::uint32_t transposes = 0) {
  UNPACK(lanewise_metal::set_transpose(transposes != 0));
  MATH(lanewise_metal::set_up_matmul());
}
ALWI void mm_init(std::uint32_t left, std::uint32_t right, std::uint32_t output,
                  std::uint32_t transposes = 0) {
  lanewise_metal::set_up(right, left, output);
  matmul_init(left, right, transposes);
}
ALWI void mm_init_short(std::uint32_t left, std::uint32_t right, std::uint32_t transposes = 0) {
  matmul_init(left, right, transposes);
}
/// Behind an operation whose SrcA had the format of `before`.
ALWI void mm_init_short_with_dt(std::uint32_t left, std::uint32_t right, std::uint32_t before,
                                std::uint32_t transposes = 0) {
  reconfig_data_format_srca(before, right);
  matmul_init(left, right, transposes);
}

ALWI void matmul_tiles(std::uint32_t left, std::uint32_t right, std::uint32_t left_tile,
                       std::uint32_t right_tile, std::uint32_t dst_tile, std::uint32_t = 0) {
  UNPACK(lanewise_metal::unpack_ab(right, left, right_tile, left_tile));
  MATH(lanewise_metal::matmul(dst_tile));
}

} // namespace ckernel
