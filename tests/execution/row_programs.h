// Micro-ops of a few lines of assembly.
#pragma once

#include <string_view>
#include <vector>

#include "chip/machine/machine.h"
#include "sweep/sweep_doubles.h"

namespace lanewise::execution {

inline constexpr std::string_view kSquare = "SFPMUL L0, L0, L9, L0, 0\nSFPNOP";

inline std::vector<MicroOp> micro_ops(Arch arch, std::string_view source) {
  Machine machine(arch);
  return machine.prepare(sweep::assembled(arch, source)).ops;
}

} // namespace lanewise::execution
