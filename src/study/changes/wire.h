// Cases and their outcomes as bytes: between processes, and in baselines.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "study/changes/case.h"
#include "study/changes/compare.h"

namespace lanewise::changes {

nlohmann::json wire_of(const TestCase& each);
nlohmann::json wire_of(const Outcome& outcome);
nlohmann::json wire_of(const CaseDifference& difference);

/// Nothing for what is not complete, or has values that cannot be.
std::optional<TestCase> case_of(const nlohmann::json& entry);
std::optional<Outcome> outcome_of(const nlohmann::json& entry);
std::optional<CaseDifference> difference_of(const nlohmann::json& entry);

} // namespace lanewise::changes
