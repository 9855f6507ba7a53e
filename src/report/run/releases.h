// One kernel as several releases of SFPI compile it: what each makes of it, and which results
// differ.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "run/execution/tile_runner.h"

namespace lanewise::report {

/// A kernel of one chip and release, and what came out of it.
struct ReleaseRun {
  int epoch = 0; ///< source/compiler/epoch.h
  std::size_t words = 0;
  unsigned lregs = 0;
  double cycles = 0; ///< per tile, in the steady state
  execution::TileRun run;
};

/// Elements at which the releases that are compared do not all give the same bits, of each chip in
/// the order of the runs.
struct ReleaseDifference {
  Arch arch = kDefaultArch;
  std::vector<std::size_t> elements;
};
std::vector<ReleaseDifference> release_differences(std::span<const ReleaseRun> runs);

/// A table of costs, then for each chip how many elements differ and a table of the first `most` of
/// them (0: all): place, lane of the Vector Unit, inputs, and what each release gives.
std::string releases_text(std::span<const tensors::Tensor> inputs, std::span<const ReleaseRun> runs,
                          std::size_t most);

/// As run_json(), with release, words, LRegs and cycles of each run; "differing" has a list of
/// elements for each chip.
nlohmann::json releases_json(std::span<const tensors::Tensor> inputs,
                             std::span<const ReleaseRun> runs);

} // namespace lanewise::report
