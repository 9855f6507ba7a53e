// A kernel of a tt-llk checkout as the host compiler takes it.
#pragma once

#include "corpus/llk/checkout.h"
#include "corpus/llk/kernel.h"
#include "sfpi/kernel.h"

namespace lanewise::lab {

/// The kernel in one configuration. `twin`: the version without SFPLOADMACRO.
sfpi::KernelSource llk_source(const LlkKernel& kernel, Format format, bool twin, Arch arch,
                              const LlkCheckout& checkout);

} // namespace lanewise::lab
