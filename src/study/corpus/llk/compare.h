// What a kernel has computed against what it has to.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "number/formats/ulp_measure.h"
#include "study/corpus/llk/kernel.h"

namespace lanewise::corpus {

struct LlkComparison {
  /// The largest errors, as ErrorSum::worst(); 0 if all elements were exact.
  LlkBound error;
  std::uint64_t compared = 0; ///< elements that were looked at
  std::string wrong;          ///< how many are wrong, and the worst; empty if none is
};

/// Holds the outputs against the kernel's reference where the inputs lie in its domain. `inputs`
/// and `outputs` are in the order of the specification; an input of one tile serves all runs.
LlkComparison compare_with_reference(const LlkKernel& kernel, LlkBound bound,
                                     std::span<const tensors::Tensor> inputs,
                                     std::span<const tensors::Tensor> outputs,
                                     formats::UlpMeasure measure = formats::UlpMeasure::Line);

/// "element 3,17 of run 5", for an index into a tensor of tiles.
std::string element_name(std::size_t index);

} // namespace lanewise::corpus
