// RISC-V instructions as GNU's tools write them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "chip/riscv/instruction.h"

namespace lanewise::riscv {

/// "zero", "ra", "sp", ...: the names of the calling convention.
std::string_view register_name(unsigned number);

struct TextOptions {
  bool aliases = true; ///< li, mv, ret, beqz and the like
  /// What stands for a target; "1a4 <f+0x10>" as objdump has it, or only the address if there is
  /// none.
  std::function<std::string(std::uint32_t)> target = {};
};

/// "addi    a0,a0,1" in two parts.
struct InstructionText {
  std::string mnemonic, operands;
};

/// The instruction at `pc`.
InstructionText text_of(const Instruction& instruction, std::uint32_t pc,
                        const TextOptions& options = {});

} // namespace lanewise::riscv
