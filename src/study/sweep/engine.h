// Runs the chunks of a sweep on several threads and merges what they bring, in the order of the
// chunks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "study/sweep/merge.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

/// Everything that the chunks until now have brought.
struct SweepTotals {
  std::uint64_t chunks = 0;      ///< from the first of the plan's on
  std::vector<ChipTotals> chips; ///< of each program
  std::vector<DiffTotals> diffs; ///< of each pair of programs of a comparison
};

SweepTotals empty_totals(const SweepPlan& plan);

/// `more` is of the chunks behind `all`.
void merge(const SweepPlan& plan, SweepTotals& all, const SweepTotals& more);

/// Inputs of the plan's chunks that are done.
std::uint64_t inputs_done(const SweepPlan& plan, const SweepTotals& totals);

/// Goes on from `totals` to the last of the plan's chunks. `first` is a worker that is ready, for
/// this thread; further threads prepare their own. `go_on` is called after each chunk, from this
/// thread; false stops. Error: that of the first chunk that has one; `totals` then has all before
/// it.
Expected<void> run_chunks(const SweepPlan& plan, SweepWorker first, SweepTotals& totals,
                          const std::function<bool()>& go_on);

} // namespace lanewise::sweep
