// More operands than a sweep has: both programs on tiles of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "number/tensors/tile.h"
#include "study/tune/prove.h"

namespace lanewise::tune {

/// As many as a sweep goes through.
inline constexpr unsigned kOperandsOfSweep = 2;

/// Some tiles for each operand of a proof: numbers where differences show, and others at random,
/// the same ones each time.
std::vector<tensors::Tensor> sample_tiles(const ProofOptions& options);

/// A tile for each of `operands`, value bits of `format`, in every place.
std::vector<tensors::Tensor> tiles_of(std::span<const std::uint32_t> operands,
                                      formats::Format format);

/// Where the results of both programs differ first, or "". Error: BadInput as
/// execution::run_on_tiles() has it.
Expected<std::string> difference_on_tiles(const Plain& plain, const Plain& other,
                                          std::span<const tensors::Tensor> tiles,
                                          const ProofOptions& options);

} // namespace lanewise::tune
