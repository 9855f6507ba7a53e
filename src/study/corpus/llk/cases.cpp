#include "study/corpus/llk/cases.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::corpus {

std::vector<LlkCase> llk_cases(const LlkKernel& kernel, std::span<const Arch> chips) {
  std::vector<LlkCase> cases;
  for (const LlkDst& dst : kernel.dst) {
    for (const bool twin : {false, true}) {
      if (twin && !kernel.has_twin) continue;
      for (const Arch arch : chips) {
        if (std::ranges::find(kernel.chips, arch) != kernel.chips.end())
          cases.push_back({&kernel, dst.format, twin, arch});
      }
    }
  }
  return cases;
}

std::vector<formats::Format> filled_tiles(const LlkKernel& kernel, formats::Format format) {
  std::vector<formats::Format> filled;
  for (const LlkInput& input : kernel.inputs) filled.push_back(input.format.value_or(format));
  return filled;
}

std::string variant_name(const LlkCase& which) {
  return fmt::format("{}{}", formats::format_name(which.format), which.twin ? ", twin" : "");
}

} // namespace lanewise::corpus
