// What static_faults() says about one word, unit by unit.
#pragma once

#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/encoding.h"

namespace lanewise {

struct StaticFinding {
  FaultKind kind;
  std::string_view message, remedy, rule;
};

/// Modes of the Matrix Unit that are undefined, undocumented, or known to fail on silicon (MU 7,
/// 9).
std::vector<StaticFinding> matrix_findings(Arch arch, const isa::Decoded& decoded);

} // namespace lanewise
