// The RISC-V instructions that stand between Tensix instructions in a compiler's assembly.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanewise::assembly {

/// What an instruction does to the order in which instructions are executed.
enum class RiscvFlow : std::uint8_t {
  Unknown, ///< no mnemonic of RISC-V that this table has
  Next,    ///< the next instruction follows
  Branch,  ///< the last operand is a place where it may go on
  Jump,    ///< the last operand is the place where it goes on
  Call,    ///< comes back behind itself
  Return,  ///< ends the function
  Indirect ///< goes on where a register says
};

/// By mnemonic in lower case: RV32IMAFC with the pseudo-instructions of GNU's assembler, Zicsr,
/// Zba, Zbb, Zbkb, Zbs and Zicond, and the vendor's tt.*, as the RISC-V cores beside a Tensix have
/// them.
RiscvFlow riscv_flow(std::string_view mnemonic);

} // namespace lanewise::assembly
