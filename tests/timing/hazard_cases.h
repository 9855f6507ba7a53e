// A program that breaks a rule of the checker, and one that keeps it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/timing/hazards/hazards.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {

struct HazardCase {
  std::string_view rule;
  std::string_view chips; ///< "bh", "wh" or "bh wh"
  std::string bad, good;  ///< programs; `bad` breaks this rule and no other, `good` none
  /// Prepares the machine, for the bad or the good program.
  std::function<void(ClockRig&, bool bad)> setup = {};
  timing::CheckOptions check = {};
  timing::ScheduleOptions schedule = {};
  bool contract = false;     ///< find_contract_breaks() reports it
  bool unprogrammed = false; ///< find_unprogrammed() does; tile 0 of Dst, of 16 bits, is filled
};

/// SFPLOADMACRO 0 with VD = L0: MacroIndex, VDLo, Mod0, AddrMod, Imm9, VDHi. Section 3 moves
/// nothing.
inline constexpr std::string_view kLoadMacro = "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\n";

std::vector<HazardCase> result_cases();
std::vector<HazardCase> macro_cases();
std::vector<HazardCase> dst_cases();
std::vector<HazardCase> configuration_cases();
std::vector<HazardCase> value_cases();
std::vector<HazardCase> contract_cases();
std::vector<HazardCase> unprogrammed_cases();
std::vector<HazardCase> edge_cases();

} // namespace lanewise::test
