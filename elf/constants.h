// Which registers hold a number that a piece of straight code has put there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "riscv/instruction.h"

namespace lanewise::elf {

class KnownRegisters {
 public:
  /// After a place that code elsewhere jumps to, nothing is known but x0.
  void forget();
  /// After a call, registers that the called function may change are not known.
  void forget_callers();
  void execute(const riscv::Instruction& instruction, std::uint32_t pc);

  std::optional<std::uint32_t> value(unsigned number) const { return values_[number]; }
  /// Where a load or a store goes.
  std::optional<std::uint32_t> address(const riscv::Instruction& instruction) const;

 private:
  std::optional<std::uint32_t> result(const riscv::Instruction& instruction,
                                      std::uint32_t pc) const;

  std::array<std::optional<std::uint32_t>, 32> values_{0};
};

} // namespace lanewise::elf
