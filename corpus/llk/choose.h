// Which kernels of a checkout of tt-llk a command takes.
#pragma once

#include <string>
#include <vector>

#include "base/fault.h"
#include "corpus/llk/coverage.h"

namespace lanewise::lab {

/// The kernels with these names or from headers with these names; all if there are no names. Error:
/// BadInput at a name that is neither. `headers` are those of the checkout, if there is one, which
/// may have some without a reference.
Expected<std::vector<const LlkKernel*>> chosen_llk_kernels(const std::vector<std::string>& names,
                                                           std::span<const LlkHeader> headers);

} // namespace lanewise::lab
