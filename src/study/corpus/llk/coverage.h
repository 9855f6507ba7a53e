// What of a checkout of tt-llk has a reference, header by header, and what has none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "source/checkouts/checkout.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// A header of kernels in a checkout.
struct LlkHeader {
  std::string name;        ///< of ckernel_sfpu_<name>.h
  std::vector<Arch> chips; ///< whose folders have it
  std::vector<std::string> kernels =
      {}; ///< the kernels from it that have a reference on these chips
  /// Its entry functions that none of the kernels with a reference calls. Entry functions are those
  /// that return nothing and that no header of the same folder calls.
  std::vector<std::string> unchecked = {};

  bool has_reference() const { return !kernels.empty(); }
};

/// Every header that the checkout has for any of the chips, by name, against these kernels.
std::vector<LlkHeader> llk_headers(const checkouts::Checkout& checkout, std::span<const Arch> chips,
                                   std::span<const LlkKernel> kernels);

} // namespace lanewise::corpus
