// What a sweep keeps, so that it can go on, or be one of several parts (study/parts/).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "study/parts/shared_work.h"
#include "study/sweep/engine.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

/// What two sweeps must have in common for one to go on where the other stopped: names with values,
/// digests where the thing itself is long.
nlohmann::ordered_json sweep_key(const SweepPlan& plan);

/// Chip, and a digest of everything that decides what a program does.
std::string describe_program(const SweepProgram& program);

/// The record of the chunks from the plan's first one on.
nlohmann::ordered_json totals_to_json(const SweepTotals& totals);
/// The same back, of chunks from `first` on. `name` stands in messages. Error: BadInput for what
/// makes no sense for this plan.
Expected<SweepTotals> totals_from_json(const nlohmann::ordered_json& json, const SweepPlan& plan,
                                       std::uint64_t first, const std::string& name);

/// What there is already: nothing, what an earlier run has done, or what all parts have. The plan's
/// chunks become those that this run is about. `name`, "sweep", stands in messages. Error: as
/// SharedWork::begin() has it, or of totals_from_json().
Expected<SweepTotals> begin_totals(SweepPlan& plan, parts::SharedWork& work, std::string_view name);

/// Runs what is left, keeps it now and then and at the end, and is called back after each chunk;
/// false stops. Whether the end has been reached is in `totals`. Error: what the reference says, or
/// what could not be written.
Expected<void> run_kept(const SweepPlan& plan, SweepWorker worker, parts::SharedWork& work,
                        SweepTotals& totals, const std::function<bool()>& go_on);

} // namespace lanewise::sweep
