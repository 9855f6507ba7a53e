// What the checker has found, for people and for other tools.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "chip/timing/hazards/hazards.h"
#include "report/llk/headers.h"
#include "run/execution/check_program.h"

namespace lanewise::report {

/// "1 hazard, 2 warnings", with faults if there are any; or "nothing found".
std::string finding_counts(const execution::CheckedProgram& checked);

/// "pauses of 1 to 8 cycles before 12 of 40 pushed words, 288 runs: the results stay the same";
/// empty where no pauses were asked for.
std::string pauses_text(const execution::CheckedProgram& checked);

/// Every finding with what silicon may do, then a line that counts them.
std::string hazard_text(const execution::CheckedProgram& checked);

/// Counts the programs for the headers of their kernels.
void count_results(LlkHeaderRows& headers, std::span<const execution::CheckedProgram> programs);

/// A line for each program, findings below it, a row per header, then a line that counts them.
std::string hazard_table(std::span<const execution::CheckedProgram> programs,
                         const LlkHeaderRows& headers);

nlohmann::json hazard_json(std::span<const execution::CheckedProgram> programs);

/// All rules, one a line.
std::string hazard_rule_table();
nlohmann::json hazard_rules_json();

/// Everything about one rule.
std::string explain_hazard_rule(const timing::HazardRule& rule);

} // namespace lanewise::report
