// What a sweep knows of a program before it has run through the inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/timing/tile_cost.h"
#include "study/sweep/merge.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

struct ProgramFacts {
  Arch arch = kDefaultArch;
  std::uint64_t program = 0;       ///< isa::program_digest()
  timing::TileCost cost;           ///< per tile
  std::vector<Fault> faults;       ///< of preparation, and of the special inputs
  std::vector<SweepCase> specials; ///< empty without a reference
};

/// Of each program of the plan, which `worker` has prepared. Error: what the reference says.
Expected<std::vector<ProgramFacts>> facts_of(const SweepPlan& plan, SweepWorker& worker);

/// Both parts of the statistics of one program as one.
SweepStatistics chip_result(const SweepPlan& plan, const ProgramFacts& facts,
                            const ChipTotals& totals);

} // namespace lanewise::sweep
