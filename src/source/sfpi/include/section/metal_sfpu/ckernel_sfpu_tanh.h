// The tanh of tt-metal, for a checkout of tt-llk that lacks it: tests of other operations compile.
#pragma once

#include "../sfpi_node.h"

namespace ckernel::sfpu {

template <bool, bool>
inline void tanh_init() {
  lanewise_sfpi::fail(
      "tanh is an operation of tt-metal, which this checkout of tt-llk has not fetched",
      "run tests/setup_testing_env.sh of tt-llk");
}
template <bool, bool, int>
inline void calculate_tanh() {}

} // namespace ckernel::sfpu
