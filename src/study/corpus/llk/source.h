// A kernel of a tt-llk checkout as the host compiler takes it.
#pragma once

#include "source/checkouts/checkout.h"
#include "source/sfpi/kernel.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// The kernel in one configuration. `twin`: the version without SFPLOADMACRO.
sfpi::KernelSource llk_source(const LlkKernel& kernel, formats::Format format, bool twin, Arch arch,
                              const checkouts::Checkout& checkout);

} // namespace lanewise::corpus
