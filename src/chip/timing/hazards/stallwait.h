// STALLWAIT's conditions, whose numbers differ between the chips (VU C49).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/encoding.h"
#include "chip/timing/hazards/findings.h"

namespace lanewise::timing {

enum class WaitFor : std::uint8_t { MatrixUnit, VectorUnit };

/// Number of the condition "that unit is busy": the bit of ConditionMask.
constexpr unsigned wait_condition(Arch arch, WaitFor unit) {
  const ArchParams& chip = arch_params(arch);
  return unit == WaitFor::MatrixUnit ? chip.stallwait_matrix_condition
                                     : chip.stallwait_vector_condition;
}

/// Whether a STALLWAIT waits for the unit, by the number of either chip: that of the wrong one is a
/// finding of its own.
constexpr bool waits_for(std::uint32_t word, WaitFor unit) {
  return std::ranges::any_of(kArchs, [&](Arch arch) {
    return (isa::decode(arch, word)["ConditionMask"] >> wait_condition(arch, unit) & 1U) != 0;
  });
}

/// STALLWAIT in front of a line, which holds the units of `block` (a bit of BlockMask) until that
/// unit is idle.
inline std::vector<ProposedChange> wait_before(Arch arch, std::uint32_t line, WaitFor unit,
                                               unsigned block) {
  const std::uint32_t blocked = 1U << block, condition = 1U << wait_condition(arch, unit);
  return insertion(line, fmt::format("STALLWAIT {:#x}, {:#x}", blocked, condition),
                   *isa::encode(arch, isa::Op::STALLWAIT,
                                {{"BlockMask", blocked}, {"ConditionMask", condition}}));
}

} // namespace lanewise::timing
