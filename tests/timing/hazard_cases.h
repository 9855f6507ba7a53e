// A program that breaks a rule of the checker, and one that keeps it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/timing/hazards/hazards.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {

/// Who reports a rule.
enum class Finder : std::uint8_t {
  Hazards,      ///< find_hazards()
  Contracts,    ///< find_contract_breaks()
  Unprogrammed, ///< find_unprogrammed(); tile 0 of Dst, of 16 bits, is filled
  LatePushes,   ///< find_late_pushes()
  ChangedInit,  ///< find_changed_init()
};

struct HazardCase {
  std::string_view rule;
  std::string_view chips; ///< "bh", "wh" or "bh wh"
  std::string bad, good;  ///< programs; `bad` breaks this rule and no other, `good` none
  /// Prepares the machine, for the bad or the good program.
  std::function<void(ClockRig&, bool bad)> setup = {};
  timing::CheckOptions check = {};
  timing::ScheduleOptions schedule = {};
  Finder finder = Finder::Hazards;
};

/// SFPLOADMACRO 0 with VD = L0: MacroIndex, VDLo, Mod0, AddrMod, Imm9, VDHi. Section 3 moves
/// nothing.
inline constexpr std::string_view kLoadMacro = "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\n";

/// Findings as faults, which have no cycles.
inline std::vector<Fault> each_fault(const std::vector<timing::Hazard>& hazards) {
  std::vector<Fault> faults;
  for (const timing::Hazard& each : hazards) faults.push_back(each.to_fault());
  return faults;
}

std::vector<HazardCase> result_cases();
std::vector<HazardCase> macro_cases();
std::vector<HazardCase> dst_cases();
std::vector<HazardCase> configuration_cases();
std::vector<HazardCase> value_cases();
std::vector<HazardCase> unused_flag_cases();
std::vector<HazardCase> raw_load_cases();
std::vector<HazardCase> contract_cases();
std::vector<HazardCase> changed_init_cases();
std::vector<HazardCase> unprogrammed_cases();
std::vector<HazardCase> edge_cases();

} // namespace lanewise::test
