#include "source/assembly/tti.h"

#include <fmt/format.h>

#include "chip/isa/encoding.h"
#include "source/assembly/kernel_macros.h"

namespace lanewise::assembly {

namespace {

/// The macro's own spelling of a mnemonic.
std::string_view macro_name(const isa::Row& row) {
  for (const isa::Alias& alias : isa::aliases()) {
    if (alias.op == row.op) return alias.name;
  }
  return row.mnemonic;
}

/// Bits that belong to an operand, from its shift up to the next operand to the left.
std::uint32_t operand_value(const isa::Row& row, std::uint32_t word, unsigned shift) {
  std::uint32_t bits = 0;
  bool in_group = false;
  for (const isa::Field& field : row.fields()) {
    if (field.role == isa::Role::Extra) continue;
    if (!in_group) bits = 0;
    bits |= word & field.mask();
    in_group = field.joins_next;
    if (!in_group && field.low == shift) return bits >> shift;
  }
  return 0;
}

} // namespace

std::string tti_call(Arch arch, std::uint32_t word) {
  const isa::Row* row = isa::find_row(arch, isa::opcode_of(word));
  if (row != nullptr) {
    std::string arguments;
    std::uint32_t rebuilt = std::uint32_t{row->opcode} << 24;
    for (const MacroOperand& operand : macro_operands(*row)) {
      const std::uint32_t value = operand_value(*row, word, operand.shift);
      rebuilt += value << operand.shift;
      arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", value);
    }
    if (rebuilt == word) {
      return fmt::format("TTI_{}{};", macro_name(*row),
                         arguments.empty() ? "" : "(" + arguments + ")");
    }
  }
  return fmt::format("INSTRUCTION_WORD(0x{:08X});", word);
}

} // namespace lanewise::assembly
