// Differences of integers.
#pragma once

#include "lanewise_integers.h"

LANEWISE_INTEGERS(sub_int, x - y)
LANEWISE_INTEGERS(rsub_int, y - x)

namespace ckernel {
ALWI void sub_int_tile_init() {}
ALWI void rsub_int_tile_init() {}
} // namespace ckernel
