#include "binary/elf/constants.h"

#include <bit>

#include "chip/riscv/calling_convention.h"

namespace lanewise::elf {

using riscv::Instruction;
using riscv::Op;

namespace {

constexpr std::uint32_t register_bit(unsigned number) {
  return std::uint32_t{1} << number;
}

} // namespace

void KnownRegisters::forget(unsigned number) {
  if (number != 0) known_ &= ~register_bit(number);
}

void KnownRegisters::forget_callers() {
  known_ &= ~riscv::kCallerSaved;
}

bool KnownRegisters::join(const KnownRegisters& other) {
  const std::uint32_t before = known_;
  known_ &= other.known_;
  for (std::uint32_t rest = known_; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(rest));
    if (values_[number] != other.values_[number]) forget(number);
  }
  return known_ != before;
}

std::optional<std::uint32_t> KnownRegisters::value(unsigned number) const {
  return (known_ & register_bit(number)) != 0 ? std::optional(values_[number]) : std::nullopt;
}

std::optional<std::uint32_t> KnownRegisters::address(const Instruction& instruction) const {
  const auto base = value(instruction.rs1);
  if (!base) return std::nullopt;
  return *base + static_cast<std::uint32_t>(instruction.imm);
}

/// Of the instructions that compilers make constants with.
std::optional<std::uint32_t> KnownRegisters::result(const Instruction& instruction,
                                                    std::uint32_t pc) const {
  const auto immediate = static_cast<std::uint32_t>(instruction.imm);
  if (instruction.op == Op::LUI) return immediate;
  if (instruction.op == Op::AUIPC) return pc + immediate;
  if (instruction.op == Op::ADDI) return address(instruction);
  const auto a = value(instruction.rs1), b = value(instruction.rs2);
  if (instruction.op == Op::SLLI && a) return *a << immediate;
  if (instruction.op == Op::ADD && a && b) return *a + *b;
  if (instruction.op == Op::OR && a && b) return *a | *b;
  return std::nullopt;
}

void KnownRegisters::execute(const Instruction& instruction, std::uint32_t pc) {
  const auto written = result(instruction, pc);
  forget(instruction.rd);
  if (!written || instruction.rd == 0) return;
  values_[instruction.rd] = *written;
  known_ |= register_bit(instruction.rd);
}

} // namespace lanewise::elf
