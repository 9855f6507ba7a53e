// How a compute kernel begins: formats of the circular buffers that it works on.
#pragma once

#include "lanewise_compute.h"

namespace ckernel {

/// Reverse: the first goes to SrcB, as matrix products have it.
enum class SrcOrder { Normal, Reverse };

template <SrcOrder order = SrcOrder::Normal>
ALWI void compute_kernel_hw_startup(std::uint32_t first, std::uint32_t second,
                                    std::uint32_t output) {
  if (order == SrcOrder::Reverse) {
    lanewise_metal::set_up(second, first, output);
  } else {
    lanewise_metal::set_up(first, second, output);
  }
}
ALWI void compute_kernel_hw_startup(std::uint32_t input, std::uint32_t output) {
  lanewise_metal::set_up(input, input, output);
}

} // namespace ckernel
