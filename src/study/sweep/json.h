// The statistics of a sweep as JSON that gives back every bit, for study/sweep/resume.h.
//
// Doubles are their 64 bits as a number, since JSON has neither NaN nor infinity. What comes out of
// a file is checked for types and lengths, so that a damaged one is an error, but not for sense.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "study/sweep/merge.h"
#include "study/sweep/sweep.h"

namespace lanewise::sweep {

using Json = nlohmann::ordered_json;

/// The file does not have what it should have: what is missing. Beside it, the functions throw what
/// nlohmann::json throws.
struct MalformedState : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json chip_to_json(const ChipTotals& totals);
/// `totals` has as many decades, bins and cells as the sweep; the rest of it is replaced.
void chip_from_json(const Json& json, ChipTotals& totals);
/// A whole result, and what comes out of it again; throws as chip_from_json().
Json result_to_json(const SweepResult& result);
SweepResult result_from_json(const Json& json);
/// The same with an error instead: BadInput with `name`, the file.
Expected<SweepResult> kept_result(const Json& json, const std::string& name);

/// Results one by one, chip by chip.
using ChipCases = std::vector<std::pair<Arch, std::vector<SweepCase>>>;
Json cases_to_json(const ChipCases& cases);
/// Error: as kept_result() has it.
Expected<ChipCases> kept_cases(const Json& json, const std::string& name);
/// The same for two programs.
Json diff_to_json(const DiffTotals& totals);
void diff_from_json(const Json& json, DiffTotals& totals);

} // namespace lanewise::sweep
