// A kernel of a tt-llk checkout as the host compiler takes it.
#pragma once

#include "corpus/llk/kernel.h"
#include "sfpi/kernel.h"
#include "trees/checkout.h"

namespace lanewise::lab {

/// The kernel in one configuration. `twin`: the version without SFPLOADMACRO.
sfpi::KernelSource llk_source(const LlkKernel& kernel, Format format, bool twin, Arch arch,
                              const trees::Checkout& checkout);

} // namespace lanewise::lab
