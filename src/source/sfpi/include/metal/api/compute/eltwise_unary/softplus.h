// log(1 + e^x).
#pragma once

#include "lanewise_functions.h"

namespace ckernel {

ALWI void softplus_tile_init() {}
/// The bits of beta, 1 / beta and a threshold, above which the result is x.
ALWI void softplus_tile(std::uint32_t tile, std::uint32_t beta, std::uint32_t one_by_beta,
                        std::uint32_t threshold) {
#if defined(UCK_CHLKC_MATH)
  const float scale = lanewise_metal::from_bits(beta),
              back = lanewise_metal::from_bits(one_by_beta),
              limit = lanewise_metal::from_bits(threshold);
  lanewise_metal::unary(tile, VectorMode::RC, [=](sfpi::vFloat x) -> sfpi::vFloat {
    const sfpi::vFloat scaled = x * scale;
    sfpi::vFloat result = lanewise_metal::softplus(scaled) * back;
    v_if (scaled > limit) {
      result = x;
    }
    v_endif;
    return lanewise_metal::rounded(result);
  });
#endif
}

} // namespace ckernel
