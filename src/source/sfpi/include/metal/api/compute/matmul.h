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

/// A block: `columns` x `rows` tiles of products, of which matmul_block() adds up one step of
/// `inner`.
ALWI void matmul_block_init(std::uint32_t left, std::uint32_t right, std::uint32_t transposes = 0,
                            std::uint32_t = 1, std::uint32_t = 1, std::uint32_t = 1) {
  matmul_init(left, right, transposes);
}
ALWI void mm_block_init(std::uint32_t left, std::uint32_t right, std::uint32_t output,
                        std::uint32_t transposes = 0, std::uint32_t columns = 1,
                        std::uint32_t rows = 1, std::uint32_t inner = 1) {
  mm_init(left, right, output, transposes);
}
ALWI void mm_block_init_short(std::uint32_t left, std::uint32_t right, std::uint32_t transposes = 0,
                              std::uint32_t = 1, std::uint32_t = 1, std::uint32_t = 1) {
  matmul_init(left, right, transposes);
}
ALWI void mm_block_init_short_with_dt(std::uint32_t left, std::uint32_t right, std::uint32_t before,
                                      std::uint32_t transposes = 0, std::uint32_t = 1,
                                      std::uint32_t = 1, std::uint32_t = 1) {
  mm_init_short_with_dt(left, right, before, transposes);
}
ALWI void mm_block_init_short_with_both_dt(std::uint32_t left, std::uint32_t right,
                                           std::uint32_t left_before, std::uint32_t right_before,
                                           std::uint32_t transposes = 0, std::uint32_t = 1,
                                           std::uint32_t = 1, std::uint32_t = 1) {
  reconfig_data_format(right_before, right, left_before, left);
  matmul_init(left, right, transposes);
}

ALWI void matmul_tiles(std::uint32_t left, std::uint32_t right, std::uint32_t left_tile,
                       std::uint32_t right_tile, std::uint32_t dst_tile, std::uint32_t = 0) {
  UNPACK(lanewise_metal::unpack_ab(right, left, right_tile, left_tile));
  MATH(lanewise_metal::matmul(dst_tile));
}

/// Tiles of the left factor lie `inner` apart, row by row, those of the right one side by side.
ALWI void matmul_block(std::uint32_t left, std::uint32_t right, std::uint32_t left_tile,
                       std::uint32_t right_tile, std::uint32_t dst_tile, std::uint32_t,
                       std::uint32_t columns, std::uint32_t rows, std::uint32_t inner) {
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column)
      matmul_tiles(left, right, left_tile + row * inner, right_tile + column,
                   dst_tile + row * columns + column);
}

} // namespace ckernel
