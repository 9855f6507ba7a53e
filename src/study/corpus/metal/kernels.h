// The operations of a checkout of tt-metal as kernels that can be run and checked.
#pragma once

#include <span>
#include <vector>

#include "source/checkouts/checkout.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// A kernel for each operation that the checkout has for one of the chips; two where the chips call
/// it differently. References are those of op_functions(). There are no bounds: the vendor
/// states none.
std::vector<LlkKernel> metal_kernels(const checkouts::Checkout& checkout,
                                     std::span<const Arch> chips);

} // namespace lanewise::corpus
