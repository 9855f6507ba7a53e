// x and a number, whose bits the kernel gives.
#pragma once

#include "lanewise_functions.h"

LANEWISE_FUNCTION_WITH(add_unary, x + number)
LANEWISE_FUNCTION_WITH(sub_unary, x - number)
LANEWISE_FUNCTION_WITH(mul_unary, x* number)
LANEWISE_FUNCTION_WITH(rsub_unary, number - x)

namespace ckernel {
ALWI void binop_with_scalar_tile_init() {}
} // namespace ckernel
