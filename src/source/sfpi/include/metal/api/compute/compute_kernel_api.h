// Functions of the Vector Unit that have no header of their own.
#pragma once

#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "lanewise_functions.h"

LANEWISE_FUNCTION(abs, sfpi::abs(x))
LANEWISE_FUNCTION(square, x* x)
LANEWISE_FUNCTION(log, lanewise_metal::logarithm(x))
LANEWISE_FUNCTION(exp2, lanewise_metal::power_of_two(x))
LANEWISE_FUNCTION(tanh, lanewise_metal::hyperbolic_tangent(x))
LANEWISE_FUNCTION(silu, x* lanewise_metal::sigmoid(x))

namespace ckernel {

template <bool...>
ALWI void sigmoid_tile_init() {}
template <int mode = VectorMode::RC, bool...>
ALWI void sigmoid_tile(std::uint32_t tile) {
  MATH(lanewise_metal::unary(tile, mode, [](sfpi::vFloat x) -> sfpi::vFloat {
    return lanewise_metal::rounded(lanewise_metal::sigmoid(x));
  }));
}

} // namespace ckernel
