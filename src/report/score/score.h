// A kernel in one line per chip: what bounties and reviews ask for.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "study/sweep/sweep.h"

namespace lanewise::report {

struct ScoreReport {
  std::string name;      ///< of the kernel, as the user wrote it
  std::string reference; ///< expression or file
  sweep::SweepResult result = {};
  std::optional<sweep::SweepResult> before =
      std::nullopt; ///< of another version, over the same inputs and chips
};

/// Whether every result is one of the two numbers around the true one: its error before rounding is
/// below 1 ULP, and none is lost.
bool is_faithful(const sweep::SweepStatistics& chip);

/// For each chip a line: largest ULP and where, whether results are faithful, which special inputs
/// differ, cycles per tile, and those of the version before.
std::string score_text(const ScoreReport& report);

/// docs/accuracy.md describes the fields.
nlohmann::json score_json(const ScoreReport& report);

} // namespace lanewise::report
