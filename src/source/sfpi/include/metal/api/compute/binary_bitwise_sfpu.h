// Bits of two tiles of integers.
#pragma once

#include "lanewise_integers.h"

LANEWISE_INTEGERS(bitwise_and_binary, x& y)
LANEWISE_INTEGERS(bitwise_or_binary, x | y)
LANEWISE_INTEGERS(bitwise_xor_binary, x ^ y)

namespace ckernel {
ALWI void binary_bitwise_tile_init() {}
} // namespace ckernel
