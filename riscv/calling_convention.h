// What functions of a RISC-V core may expect of each other.
#pragma once

#include <cstdint>

namespace lanewise::riscv {

/// Registers that a called function need not give back: ra, t0..t2, a0..a7, t3..t6; bit n is xn
/// (RISC-V calling convention).
inline constexpr std::uint32_t kCallerSaved = 0xF003FCE2;

} // namespace lanewise::riscv
