// max(x, 0) and its relatives.
#pragma once

#include "lanewise_functions.h"

#if defined(UCK_CHLKC_MATH)
namespace lanewise_metal {

sfpi_inline vFloat at_least(vFloat x, float least) {
  vFloat result = x;
  v_if (x < least) {
    result = least;
  }
  v_endif;
  return result;
}
sfpi_inline vFloat at_most(vFloat x, float most) {
  vFloat result = x;
  v_if (x > most) {
    result = most;
  }
  v_endif;
  return result;
}
sfpi_inline vFloat leaky(vFloat x, float slope) {
  vFloat result = x;
  v_if (x < 0.0f) {
    result = x * slope;
  }
  v_endif;
  return result;
}

} // namespace lanewise_metal
#endif

LANEWISE_FUNCTION(relu, lanewise_metal::at_least(x, 0.0f))
/// At most a limit, and at least 0.
LANEWISE_FUNCTION_WITH(relu_max, lanewise_metal::at_least(lanewise_metal::at_most(x, number), 0.0f))
/// At least a limit.
LANEWISE_FUNCTION_WITH(relu_min, lanewise_metal::at_least(x, number))
LANEWISE_FUNCTION_WITH(leaky_relu, lanewise_metal::leaky(x, number))
