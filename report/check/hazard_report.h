// What the checker has found, for people and for other tools.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "isa/arch.h"
#include "report/llk/headers.h"
#include "timing/hazards/hazards.h"
#include "timing/tile_cost.h"

namespace lanewise::report {

/// A program on a chip, checked.
struct CheckedProgram {
  std::string name;        ///< file, or kernel of a checkout
  std::string header = {}; ///< of a kernel of a checkout: which it is from
  Arch arch = Arch::Blackhole;
  std::string variant = {}; ///< what else distinguishes it, as "fp32, twin"; may be empty
  std::size_t instructions = 0;
  std::uint64_t cycles = 0;                  ///< of one pass, with what runs once
  std::optional<timing::TileCost> cost = {}; ///< what of it a tile takes, where asked for
  std::vector<timing::Hazard> hazards = {};
  std::vector<Fault> faults = {}; ///< found while it was prepared and executed
  std::string failure = {};       ///< why it could not be checked; empty if it was
};

/// How much was found.
struct FindingCounts {
  std::size_t hazards = 0, warnings = 0, faults = 0;
};
FindingCounts count_findings(const CheckedProgram& checked);

/// "1 hazard, 2 warnings", with faults if there are any; or "nothing found".
std::string finding_counts(const CheckedProgram& checked);

bool finds_anything(const CheckedProgram& checked);

/// Findings that are no mere warnings, faults after which results do not hold, or a failure.
bool has_problem(const CheckedProgram& checked);

/// Every finding with what silicon may do, then a line that counts them.
std::string hazard_text(const CheckedProgram& checked);

/// Counts the programs for the headers of their kernels.
void count_results(LlkHeaderRows& headers, std::span<const CheckedProgram> programs);

/// A line for each program, findings below it, a row per header, then a line that counts them.
std::string hazard_table(std::span<const CheckedProgram> programs, const LlkHeaderRows& headers);

nlohmann::json hazard_json(std::span<const CheckedProgram> programs);

/// All rules, one a line.
std::string hazard_rule_table();
nlohmann::json hazard_rules_json();

/// Everything about one rule.
std::string explain_hazard_rule(const timing::HazardRule& rule);

} // namespace lanewise::report
