#include "elf/constants.h"

namespace lanewise::elf {

using riscv::Instruction;
using riscv::Op;

namespace {

/// ra, t0..t2, a0..a7, t3..t6 (RISC-V calling convention).
constexpr std::uint32_t kCallerSaved = 0xF003FCE2;

} // namespace

void KnownRegisters::forget() {
  values_ = {0};
}

void KnownRegisters::forget_callers() {
  for (unsigned i = 0; i < values_.size(); ++i) {
    if ((kCallerSaved >> i & 1U) != 0) values_[i].reset();
  }
}

std::optional<std::uint32_t> KnownRegisters::address(const Instruction& instruction) const {
  const auto base = values_[instruction.rs1];
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
  const auto a = values_[instruction.rs1], b = values_[instruction.rs2];
  if (instruction.op == Op::SLLI && a) return *a << immediate;
  if (instruction.op == Op::ADD && a && b) return *a + *b;
  if (instruction.op == Op::OR && a && b) return *a | *b;
  return std::nullopt;
}

void KnownRegisters::execute(const Instruction& instruction, std::uint32_t pc) {
  if (instruction.rd != 0) values_[instruction.rd] = result(instruction, pc);
}

} // namespace lanewise::elf
