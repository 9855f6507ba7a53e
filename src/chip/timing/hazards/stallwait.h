// STALLWAIT's conditions, whose numbers differ between the chips (VU C49).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/encoding.h"
#include "chip/timing/hazards/context.h"

namespace lanewise::timing {

/// Whether a STALLWAIT waits for the unit, by the number of either chip: that of the wrong one is a
/// finding of its own.
constexpr bool waits_for(std::uint32_t word, WaitFor unit) {
  return std::ranges::any_of(kArchs, [&](Arch arch) {
    return (isa::decode(arch, word)["ConditionMask"] >> wait_condition(arch, unit) & 1U) != 0;
  });
}

/// STALLWAIT in front of a line, which holds the units of `blocked` (a BlockMask,
/// chip/isa/block_mask.h) until that unit is idle.
inline std::vector<ProposedChange> wait_before(const HazardContext& context, std::uint32_t line,
                                               WaitFor unit, std::uint32_t blocked) {
  const Arch arch = context.arch();
  const std::uint32_t condition = 1U << wait_condition(arch, unit);
  return context.findings.insertion(
      line, fmt::format("STALLWAIT {:#x}, {:#x}", blocked, condition),
      *isa::encode(arch, isa::Op::STALLWAIT,
                   {{"BlockMask", blocked}, {"ConditionMask", condition}}));
}

} // namespace lanewise::timing
