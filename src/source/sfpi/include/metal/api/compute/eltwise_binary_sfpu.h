// Two tiles of Dst, number by number, on the Vector Unit.
#pragma once

#include "lanewise_functions.h"

#define LANEWISE_BINARY(name, result)                                                       \
  namespace ckernel {                                                                       \
  ALWI void name##_binary_tile_init() {}                                                    \
  ALWI void name##_binary_tile(std::uint32_t a, std::uint32_t b, std::uint32_t out) {       \
    MATH(lanewise_metal::binary(                                                            \
        a, b, out, [](sfpi::vFloat x, sfpi::vFloat y) -> sfpi::vFloat { return result; })); \
  }                                                                                         \
  }

// Sums are stored as they are, which cuts bits off where Dst has 16.
LANEWISE_BINARY(add, x + y)
LANEWISE_BINARY(sub, x - y)
LANEWISE_BINARY(rsub, y - x)
LANEWISE_BINARY(mul, lanewise_metal::rounded_to_even(x* y))
// By the reciprocal of the second: relative error below 4e-7 before it is rounded.
LANEWISE_BINARY(div, lanewise_metal::rounded_to_even(x* lanewise_metal::reciprocal(y)))
