// What is wrong with an instruction word whatever the state of the machine is (VU 6).
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"

namespace lanewise {

/// Undefined and non-contractual modes, reserved bits, and UnpredictableValue cases of one word.
/// None for a word that only writes a macro template (VU C13): what it would do, it does when an
/// SFPLOADMACRO or a lane with DISABLE_BACKDOOR_LOAD executes it, see
/// RuntimeFault::ExecutedTemplate.
std::vector<Fault> static_faults(Arch arch, std::uint32_t word, std::uint32_t line);

/// The same of a word that is executed whatever its VD.
std::vector<Fault> execution_faults(Arch arch, std::uint32_t word, std::uint32_t line);

} // namespace lanewise
