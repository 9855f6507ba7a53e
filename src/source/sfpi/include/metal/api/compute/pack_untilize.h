// Tiles of Dst to rows of numbers, on their way to a circular buffer.
#pragma once

#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "lanewise_layout.h"

namespace ckernel {

/// A row of the output has the numbers of `full` tiles, of which `block` are packed at once.
template <std::uint32_t block = 8, std::uint32_t full = block, bool is_narrow = false,
          std::uint32_t row_numbers = 32, bool is_dense = false, bool = true>
ALWI void pack_untilize_dest_init(std::uint32_t output, std::uint32_t = 16, std::uint32_t = 4) {
  static_assert(!is_narrow && row_numbers == 32 && !is_dense,
                "rows of parts of a tile are not among Lanewise's own headers: give --metal DIR");
  PACK(lanewise_metal::set_up_pack_rows(output));
}
template <std::uint32_t block = 8, std::uint32_t full = block>
ALWI void pack_untilize_init(std::uint32_t cb, std::uint32_t output) {
  copy_tile_to_dst_init_short(cb);
  pack_untilize_dest_init<block, full>(output);
}

/// Rows of tiles of Dst, from tile `first` on, to columns of rows: as many of them as `block` tiles
/// have, the `column`th of those.
template <std::uint32_t block = 8, std::uint32_t full = block, bool is_diagonal = false,
          bool is_narrow = false, std::uint32_t row_numbers = 32, std::uint32_t dst_offset = 0,
          bool is_dense = false>
ALWI void pack_untilize_dest(std::uint32_t output, std::uint32_t rows = 1, std::uint32_t column = 0,
                             std::uint32_t first = 0) {
  static_assert(!is_diagonal && !is_narrow && row_numbers == 32 && !is_dense,
                "rows of parts of a tile are not among Lanewise's own headers: give --metal DIR");
#if defined(UCK_CHLKC_PACK)
  const LocalCBInterface& ring = get_local_cb_interface(output);
  const std::uint32_t tile_row = 2 * lanewise_metal::number_bytes(pack_dst_format[output]);
  for (std::uint32_t row = 0; row < rows; ++row)
    lanewise_metal::pack_untilized(
        first + row * block + dst_offset, block,
        ring.fifo_wr_ptr - 1 + row * full * ring.fifo_page_size + column * block * tile_row,
        full * tile_row);
#endif
}
/// With the rows and number of faces in front of the first tile, as before 2026.
template <std::uint32_t block = 8, std::uint32_t full = block, bool is_diagonal = false,
          bool is_narrow = false, std::uint32_t row_numbers = 32, std::uint32_t dst_offset = 0,
          bool is_dense = false>
ALWI void pack_untilize_dest(std::uint32_t output, std::uint32_t rows, std::uint32_t column,
                             std::uint32_t, std::uint32_t, std::uint32_t first = 0) {
  pack_untilize_dest<block, full, is_diagonal, is_narrow, row_numbers, dst_offset, is_dense>(
      output, rows, column, first);
}

/// `rows` times `block` tiles of the circular buffer's front. A kernel pops them in between.
template <std::uint32_t block = 8, std::uint32_t full = block>
ALWI void pack_untilize_block(std::uint32_t cb, std::uint32_t rows, std::uint32_t output,
                              std::uint32_t column = 0) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    tile_regs_acquire();
    for (std::uint32_t tile = 0; tile < block; ++tile) copy_tile(cb, tile, tile);
    tile_regs_commit();
    tile_regs_wait();
    pack_untilize_dest<block, full>(output, 1, column);
    tile_regs_release();
  }
}

ALWI void pack_untilize_uninit(std::uint32_t output) {
  PACK(lanewise_metal::leave_pack_rows(output));
}

} // namespace ckernel
