// How kernels begin that compute on tiles in Dst.
#pragma once

#include "lanewise_compute.h"

#include "api/compute/pack.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

ALWI void unary_op_init_common(std::uint32_t input, std::uint32_t output) {
  lanewise_metal::set_up(input, input, output);
  copy_tile_to_dst_init_short(input);
  MATH(lanewise_metal::keep_small(true));
}
ALWI void init_sfpu(std::uint32_t input, std::uint32_t output) {
  unary_op_init_common(input, output);
}

} // namespace ckernel
