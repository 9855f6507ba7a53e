#include "study/corpus/llk/choose.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/in_quotes.h"
#include "study/corpus/llk/corpus.h"
#include "study/corpus/metal/kernels.h"

namespace lanewise::corpus {

namespace {

Unexpected no_such_kernel(const std::string& name, std::span<const LlkHeader> headers) {
  if (std::ranges::find(headers, name, &LlkHeader::name) != headers.end()) {
    return bad_input(
        fmt::format("the header {} has no reference: no kernel of it is known", in_quotes(name)),
        "'lanewise llk --list' lists those that are");
  }
  return bad_input(
      fmt::format("there is no kernel {}", in_quotes(name)),
      "'lanewise llk --list' lists those of tt-llk, 'lanewise list DIR' those of tt-metal");
}

} // namespace

std::vector<LlkKernel> known_kernels(const checkouts::Checkout& checkout,
                                     std::span<const Arch> chips) {
  return checkout.is_metal() ? metal_kernels(checkout, chips) : llk_corpus();
}

Expected<std::vector<const LlkKernel*>> chosen_llk_kernels(std::span<const LlkKernel> known,
                                                           const std::vector<std::string>& names,
                                                           std::span<const LlkHeader> headers) {
  std::vector<const LlkKernel*> kernels;
  std::vector<bool> used(names.size());
  for (const LlkKernel& kernel : known) {
    bool chosen = names.empty();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != kernel.name && names[i] != kernel.header) continue;
      chosen = used[i] = true;
    }
    if (chosen) kernels.push_back(&kernel);
  }
  const auto unused = std::ranges::find(used, false);
  if (unused == used.end()) return kernels;
  return no_such_kernel(names[static_cast<std::size_t>(unused - used.begin())], headers);
}

} // namespace lanewise::corpus
