// e^x.
#pragma once

#include "lanewise_functions.h"

namespace ckernel {

template <bool approximate = false, bool...>
ALWI void exp_tile_init() {}

template <bool approximate = false, bool scales = false, bool...>
ALWI void exp_tile(std::uint32_t tile, int mode = VectorMode::RC) {
  static_assert(!scales,
                "exp_tile with a scale is not among Lanewise's own headers: give --metal DIR");
  MATH(lanewise_metal::unary(tile, mode, [](sfpi::vFloat x) -> sfpi::vFloat {
    return lanewise_metal::rounded(lanewise_metal::exponential(x));
  }));
}

} // namespace ckernel
