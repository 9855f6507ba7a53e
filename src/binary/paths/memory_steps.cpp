#include "binary/paths/memory_steps.h"

#include "chip/riscv/calling_convention.h"

namespace lanewise::paths {

namespace {

using riscv::Flow;
using riscv::Format;
using riscv::Instruction;

constexpr RegisterSet register_set(unsigned number) {
  return number == 0 ? 0 : RegisterSet{1} << number;
}

/// funct3 says it of loads, stores and AMOs: 0 byte, 1 half, 2 word; 4 and 5 as 0 and 1.
constexpr std::uint8_t bytes_accessed(std::uint32_t word) {
  return static_cast<std::uint8_t>(1U << (word >> 12 & 3U));
}

Step memory_step(const Instruction& instruction, bool loads, bool stores) {
  return {.loads = loads,
          .stores = stores,
          .address = register_set(instruction.rs1),
          .data = stores ? register_set(instruction.rs2) : 0,
          .written = register_set(instruction.rd),
          .offset = instruction.imm,
          .bytes = bytes_accessed(instruction.word)};
}

Step atomic_step(const Instruction& instruction) {
  Step step = memory_step(instruction, true, true);
  step.acquires = (instruction.word >> 26 & 1U) != 0;
  step.releases = (instruction.word >> 25 & 1U) != 0;
  return step;
}

Step fence_step(std::uint32_t word) {
  return {.fenced_before = static_cast<std::uint8_t>(word >> 24 & 15U),
          .fenced_after = static_cast<std::uint8_t>(word >> 20 & 15U)};
}

Step register_step(const Instruction& instruction) {
  return {.sources = riscv::registers_read(instruction),
          .written = riscv::registers_written(instruction)};
}

/// jal and jalr.
Step jump_step(const Instruction& instruction, Flow flow) {
  const bool calls = flow == Flow::Call || flow == Flow::IndirectCall;
  return {.branches = flow == Flow::IndirectCall || flow == Flow::IndirectJump,
          .sources = riscv::registers_read(instruction),
          .written = calls ? riscv::kCallerSaved | riscv::registers_written(instruction) : 0};
}

Step csr_step(const Instruction& instruction) {
  return {.written = register_set(instruction.rd)};
}

/// fence.tso leaves out only stores before it with loads behind it; fence.i and others are none.
Step other_step(const Instruction& instruction) {
  if (instruction.op != riscv::Op::FENCE_TSO) return {};
  return {.fenced_before = fenced::kReads, .fenced_after = fenced::kReads | fenced::kWrites};
}

Step step_of(const Instruction& instruction) {
  const Flow flow = riscv::flow_of(instruction);
  switch (riscv::format_of(instruction.op)) {
    case Format::Reg:
    case Format::Unary:
    case Format::Imm:
    case Format::Shift:
    case Format::Upper: return register_step(instruction);
    case Format::Load:
      return flow == Flow::Next ? memory_step(instruction, true, false)
                                : jump_step(instruction, flow);
    case Format::Store: return memory_step(instruction, false, true);
    case Format::Branch: return {.branches = true, .sources = riscv::registers_read(instruction)};
    case Format::Jump: return jump_step(instruction, flow);
    case Format::Fence: return fence_step(instruction.word);
    case Format::Csr:
    case Format::CsrImm: return csr_step(instruction);
    case Format::Atomic: return atomic_step(instruction);
    case Format::None: return other_step(instruction);
  }
  return {};
}

Step step_of(const elf::CodeWord& word) {
  if (word.kind == elf::WordKind::Unknown) return {};
  if (word.kind == elf::WordKind::Tensix) return {.stores = true, .pushes = true};
  Step step = step_of(word.instruction);
  step.pushes = word.stores_to_fifo;
  step.accessed = word.accessed;
  return step;
}

} // namespace

std::vector<Step> steps_of(const elf::Function& function) {
  std::vector<Step> steps;
  steps.reserve(function.words.size());
  for (const elf::CodeWord& word : function.words) steps.push_back(step_of(word));
  return steps;
}

} // namespace lanewise::paths
