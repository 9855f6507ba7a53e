#include "chip/timing/hazards/unprogrammed_text.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

namespace {

constexpr unsigned kTemplates = 4, kSequences = 4;
constexpr int kFirstConstant = 12; ///< vConstFloatPrgm0

/// "L12 (vConstFloatPrgm0)".
std::string constant_names(LRegMask registers) {
  constexpr int kConstants = 3;
  std::string text;
  for (int lreg = kFirstConstant; lreg < kFirstConstant + kConstants; ++lreg) {
    if ((registers >> lreg & 1U) == 0) continue;
    text += fmt::format("{}L{} (vConstFloatPrgm{})", text.empty() ? "" : " and ", lreg,
                        lreg - kFirstConstant);
  }
  return text;
}

/// " in lane 3", " in 16 lanes, from lane 8 on"; nothing for all of them.
std::string lanes_text(std::uint32_t lanes) {
  const int count = std::popcount(lanes), first = std::countr_zero(lanes);
  if (lanes == kAllLanes) return "";
  if (count == 1) return fmt::format(" in lane {}", first);
  return fmt::format(" in {} lanes, the first of them {}", count, first);
}

/// "sequence 0 and template 1".
std::string macro_names(std::uint32_t parts) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < kSequences; ++i) {
    if ((parts & macro_part::kSequence0 << i) != 0) names.push_back(fmt::format("sequence {}", i));
  }
  for (unsigned i = 0; i < kTemplates; ++i) {
    if ((parts & macro_part::kTemplate0 << i) != 0) names.push_back(fmt::format("template {}", i));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

std::string tile_text(std::int32_t dst_row) {
  constexpr int kTileRows = 64;
  return fmt::format(" (tile {})", dst_row / kTileRows);
}

std::string message(HazardId id, const UnprogrammedUse& use, const Findings& findings) {
  switch (id) {
    case HazardId::UnprogrammedConstant:
      return fmt::format("reads {}, which nothing has programmed", constant_names(use.what));
    case HazardId::UnprogrammedLReg:
      if (use.origin.computed != nullptr) {
        return fmt::format("reads {}, which {} has computed from {}, which nothing has written{}",
                           register_names(use.what), findings.op_name(*use.origin.computed, false),
                           register_names(use.origin.registers), lanes_text(use.lanes));
      }
      return fmt::format("reads {}, which nothing has written{}", register_names(use.what),
                         lanes_text(use.lanes));
    case HazardId::UnprogrammedAddrMod:
      return fmt::format(
          "moves the counters as ADDR_MOD section {} says, which nothing has "
          "programmed",
          std::countr_zero(use.what));
    case HazardId::UnprogrammedMacro:
      return fmt::format("uses {}, which nothing has programmed", macro_names(use.what));
    case HazardId::UnprogrammedDst:
      return fmt::format(
          "loads rows {} to {} of Dst{}, which no input has filled and nothing "
          "has stored{}",
          use.dst_row, use.dst_row + 3, tile_text(use.dst_row), lanes_text(use.lanes));
    case HazardId::UnprogrammedMisc: return "schedules something, and nothing has programmed Misc";
    default: return "draws random numbers, and nothing has seeded their generator";
  }
}

std::string mend(HazardId id, const UnprogrammedUse& use) {
  if (id != HazardId::UnprogrammedConstant) return std::string(hazard_rule(id).mend);
  const int lreg = std::countr_zero(use.what);
  return fmt::format(
      "give it a value first (vConstFloatPrgm{} = ..., SFPCONFIG 0, {}, 0); a "
      "kernel's own initialisation goes into --init",
      lreg - kFirstConstant, lreg);
}

} // namespace

HazardText unprogrammed_text(HazardId id, const UnprogrammedUse& use, const Findings& findings) {
  return {message(id, use, findings), mend(id, use)};
}

} // namespace lanewise::timing
