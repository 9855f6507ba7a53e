// The configurations in which a kernel of LLK is checked and tuned.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

/// A kernel of LLK in one configuration on one chip.
struct LlkCase {
  const LlkKernel* kernel;
  formats::Format format;
  bool twin;
  Arch arch;
};

/// Every configuration of a kernel on those of the chips that it is for, the versions without
/// SFPLOADMACRO included.
std::vector<LlkCase> llk_cases(const LlkKernel& kernel, std::span<const Arch> chips);

/// The tiles of Dst that a kernel reads, by their formats, where the Vector Unit has this one.
std::vector<formats::Format> filled_tiles(const LlkKernel& kernel, formats::Format format);

/// "bf16, twin".
std::string variant_name(const LlkCase& which);

} // namespace lanewise::corpus
