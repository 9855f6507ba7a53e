// What the functions of a kernel's ELF are made of.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "binary/elf/code.h"
#include "chip/isa/row.h"

namespace lanewise::report {

inline constexpr std::size_t kUnits = static_cast<std::size_t>(isa::Unit::Miscellaneous) + 1;

struct CodeStatistics {
  std::size_t riscv = 0;     ///< RISC-V instructions
  std::size_t constants = 0; ///< of them lui, and li of one instruction
  std::size_t branches = 0, calls = 0;
  std::size_t unknown = 0;  ///< words that are no instruction
  std::size_t pushes = 0;   ///< Tensix instructions in the code, and stores to the instruction FIFO
  std::size_t stores = 0;   ///< of them stores
  std::size_t computed = 0; ///< of them stores of a word that the code does not say
  std::array<std::size_t, kUnits> units{}; ///< the known pushes, by isa::Unit
  std::size_t immediates = 0;              ///< of them SFPLOADI
  std::size_t nops = 0;                    ///< of them NOP and SFPNOP
};

CodeStatistics statistics_of(const elf::Function& function, Arch arch);

/// A table with a line for each function.
std::string statistics_text(const std::vector<elf::Function>& functions, Arch arch);

} // namespace lanewise::report
