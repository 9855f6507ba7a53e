// The statistics of a sweep as JSON that gives back every bit, for study/sweep/resume.h.
//
// Doubles are their 64 bits as a number, since JSON has neither NaN nor infinity. What comes out of
// a file is checked for types and lengths, so that a damaged one is an error, but not for sense.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "study/sweep/merge.h"

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

} // namespace lanewise::sweep
