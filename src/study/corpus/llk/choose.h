// Which kernels of a checkout of tt-llk a command takes.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "study/corpus/llk/coverage.h"

namespace lanewise::corpus {

/// What is known of the kernels of a checkout: llk_corpus(), or the operations of tt-metal.
std::vector<LlkKernel> known_kernels(const checkouts::Checkout& checkout,
                                     std::span<const Arch> chips);

/// Those of the kernels with these names or from headers with these names; all if there are no
/// names. Error: BadInput at a name that is neither. `headers` are those of the checkout, if there
/// is one, which may have some without a reference.
Expected<std::vector<const LlkKernel*>> chosen_llk_kernels(std::span<const LlkKernel> kernels,
                                                           const std::vector<std::string>& names,
                                                           std::span<const LlkHeader> headers);

} // namespace lanewise::corpus
