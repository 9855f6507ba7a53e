// Rows of numbers to tiles.
#pragma once

#include "api/compute/pack.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "lanewise_layout.h"

namespace ckernel {

/// A row of the input has the numbers of `tiles` tiles.
ALWI void tilize_init(std::uint32_t cb, std::uint32_t tiles, std::uint32_t) {
  UNPACK(lanewise_metal::set_up_rows(cb, tiles * lanewise_metal::kTileSide,
                                     lanewise_metal::kTileSide));
  MATH(lanewise_metal::set_up_copy(cb));
}
ALWI void tilize_init_short_with_dt(std::uint32_t before, std::uint32_t cb, std::uint32_t tiles,
                                    std::uint32_t output) {
  reconfig_data_format_srca(before, cb);
  tilize_init(cb, tiles, output);
}

/// 32 rows of numbers to `tiles` tiles, each in a section of Dst of its own. `first` counts input
/// tiles from the front of the circular buffer, row of tiles by row of tiles, `out` output tiles
/// from its back.
ALWI void tilize_block(std::uint32_t cb, std::uint32_t tiles, std::uint32_t output,
                       std::uint32_t first = 0, std::uint32_t out = 0) {
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
#if defined(UCK_CHLKC_UNPACK)
    const std::uint32_t side = lanewise_metal::kTileSide;
    const std::uint32_t numbers = (first / tiles * tiles * side + first % tiles + tile) * side;
    lanewise_metal::unpack_tilized(lanewise_metal::unpack_address(cb, 0) +
                                   lanewise_metal::in_words(cb, numbers));
    if (lanewise_metal::copies_by_sum(cb)) lanewise_metal::unpack_zeros(1);
#endif
    tile_regs_acquire();
    MATH(lanewise_metal::copy(cb, 0));
    tile_regs_commit();
    tile_regs_wait();
    pack_tile<true>(0, output, out + tile);
    tile_regs_release();
  }
}

ALWI void tilize_uninit(std::uint32_t cb, std::uint32_t) {
  UNPACK(lanewise_metal::leave_rows(cb));
}
ALWI void tilize_uninit_with_dt(std::uint32_t before, std::uint32_t cb, std::uint32_t output) {
  tilize_uninit(before, output);
  reconfig_data_format_srca(before, cb);
}

} // namespace ckernel
