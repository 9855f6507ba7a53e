// The SFPLOADMACROs of a placed row: their sequences and templates, as the configuration has them
// (VU 5.5, C55).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "study/tune/forms.h"
#include "study/tune/model.h"
#include "study/tune/row_registers.h"

namespace lanewise::tune {

/// Operations that a macro of the placement carries, without its load.
std::vector<unsigned> carried_by(const Row& row, const Placement& placement, unsigned macro);

struct RowMacros {
  /// Macro of the placement -> sequence. Those that carry nothing are plain loads and have none.
  std::map<unsigned, unsigned> sequence_of = {};
  std::vector<std::uint32_t> sequences = {};
  std::vector<std::uint32_t> templates = {}; ///< may be more than a chip has
};

RowMacros macros_of(const Formed& formed, const Placement& placement,
                    const RowRegisters& registers);

} // namespace lanewise::tune
