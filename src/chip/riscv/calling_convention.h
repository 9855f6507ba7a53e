// What functions of a RISC-V core may expect of each other.
#pragma once

#include <cstdint>

namespace lanewise::riscv {

inline constexpr unsigned kReturnAddress = 1, kStackPointer = 2, kGlobalPointer = 3;
/// Arguments go to a0..a7.
inline constexpr unsigned kFirstArgument = 10, kArgumentRegisters = 8;
inline constexpr std::uint32_t kStackAlignment = 16;

/// Registers that a called function need not give back: ra, t0..t2, a0..a7, t3..t6; bit n is xn
/// (RISC-V calling convention).
inline constexpr std::uint32_t kCallerSaved = 0xF003FCE2;

} // namespace lanewise::riscv
