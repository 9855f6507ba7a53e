// Comparisons with zero: 1 where they hold, else 0.
#pragma once

#include "lanewise_functions.h"

#define LANEWISE_COMPARISON(name, condition)                                              \
  namespace ckernel {                                                                     \
  ALWI void name##_tile_init() {}                                                         \
  ALWI void name##_tile(std::uint32_t tile) {                                             \
    MATH(lanewise_metal::unary(tile, VectorMode::RC, [](sfpi::vFloat x) -> sfpi::vFloat { \
      sfpi::vFloat result = 0.0f;                                                         \
      v_if (condition) {                                                                  \
        result = 1.0f;                                                                    \
      }                                                                                   \
      v_endif;                                                                            \
      return result;                                                                      \
    }));                                                                                  \
  }                                                                                       \
  }

LANEWISE_COMPARISON(gtz, x > 0.0f)
LANEWISE_COMPARISON(gez, x >= 0.0f)
LANEWISE_COMPARISON(ltz, x < 0.0f)
LANEWISE_COMPARISON(lez, x <= 0.0f)
LANEWISE_COMPARISON(eqz, x == 0.0f)
LANEWISE_COMPARISON(nez, x != 0.0f)
