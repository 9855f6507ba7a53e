// Kernels one behind the other on the same tile, tuned together: fused in registers, or each by
// itself with what they set up side by side.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/chain_parts.h"
#include "study/tune/contracts.h"
#include "study/tune/tune.h"

namespace lanewise::tune {

/// A way to run the chain, and what has become of it.
struct ChainForm {
  std::optional<Tuned> tuned;
  std::uint64_t cycles = 0; ///< of a tile, by the clock
  std::string refusal = {}; ///< a sentence, without `tuned`
  std::string text = {};    ///< as it is printed
  Proof proof = {};         ///< of the text; holds where it was taken
};

/// What a kernel takes by itself.
struct ChainAlone {
  std::string name;
  double plain_cycles = 0;
  std::optional<std::uint64_t> tuned_cycles; ///< nothing where no faster program was found
};

enum class ChainWay : std::uint8_t { Plain, Fused, Placed };

struct ChainResult {
  Arch arch = kDefaultArch;
  std::size_t rows = 0; ///< of a tile
  std::vector<ChainAlone> kernels;
  std::vector<std::string> conflicts; ///< sentences
  unsigned roundings = 0;             ///< of the fused row, in place of stores and loads
  ChainForm fused, placed;
  ChainWay taken = ChainWay::Plain; ///< the one with the fewest cycles whose proof holds
  Plain plain; ///< all kernels, one behind the other; each with its init where they conflict
  double plain_cycles = 0; ///< the sum of the kernels' own
  bool stopped = false;

  /// What was taken; nothing where the plain kernels stay.
  const ChainForm* best() const;
};

/// Tunes kernels of one chip as a chain. Each form is proved against the plain kernels, as it is
/// printed. `options.seconds` is for all searches. Error: as links_of() and tune() have it;
/// BadInput for two operands and results of another format.
Expected<ChainResult> tune_chain(std::span<const ChainKernel> kernels, const TuneOptions& options);

} // namespace lanewise::tune
