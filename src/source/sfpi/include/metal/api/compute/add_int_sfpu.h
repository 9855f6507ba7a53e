// Sums of integers.
#pragma once

#include "lanewise_integers.h"

LANEWISE_INTEGERS(add_int, x + y)

namespace ckernel {
ALWI void add_int_tile_init() {}
} // namespace ckernel
