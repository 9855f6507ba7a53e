// Which registers hold a number that code has put there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chip/riscv/instruction.h"

namespace lanewise::elf {

class KnownRegisters {
 public:
  /// Of a register that something else has written.
  void forget(unsigned number);
  /// After a call, registers that the called function may change are not known.
  void forget_callers();
  void execute(const riscv::Instruction& instruction, std::uint32_t pc);

  /// Keeps what another path to the same place agrees with; says whether that was less.
  bool join(const KnownRegisters& other);

  std::optional<std::uint32_t> value(unsigned number) const;
  /// Where a load or a store goes.
  std::optional<std::uint32_t> address(const riscv::Instruction& instruction) const;

 private:
  std::optional<std::uint32_t> result(const riscv::Instruction& instruction,
                                      std::uint32_t pc) const;

  std::uint32_t known_ = 1;                ///< bit n: of register xn; x0 always
  std::array<std::uint32_t, 32> values_{}; ///< of those that are not known, anything
};

} // namespace lanewise::elf
