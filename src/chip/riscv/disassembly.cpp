#include "chip/riscv/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "chip/riscv/csr.h"

namespace lanewise::riscv {

namespace {

constexpr std::array<std::string_view, 32> kRegisters{
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

struct AliasRow {
  std::string_view mnemonic;
  Op op;
  std::uint32_t match, mask;
  std::string_view operands;
  bool always;
};

constexpr auto kAliases = std::to_array<AliasRow>({
#define ALIAS(text, name, match, mask, operands) {text, Op::name, match, mask, operands, false},
#define ALWAYS(text, name, match, mask, operands) {text, Op::name, match, mask, operands, true},
#include "chip/riscv/aliases.def"
#undef ALWAYS
#undef ALIAS
});

/// Operands of a format without aliases. Letters: d, s, t registers rd, rs1, rs2; i number; > shift
/// amount; u upper number; o imm(rs1); A (rs1); p and a: a target; P, Q predecessors and successors
/// of a fence; E name of a CSR; Z 5-bit number.
constexpr std::string_view operands_of(Format format) {
  switch (format) {
    case Format::Reg: return "dst";
    case Format::Unary: return "ds";
    case Format::Imm: return "dsi";
    case Format::Shift: return "ds>";
    case Format::Load: return "do";
    case Format::Store: return "to";
    case Format::Branch: return "stp";
    case Format::Upper: return "du";
    case Format::Jump: return "da";
    case Format::Fence: return "PQ";
    case Format::Csr: return "dEs";
    case Format::CsrImm: return "dEZ";
    case Format::Atomic: return "dtA";
    case Format::None: return "";
  }
  return "";
}

/// "iorw", from the four bits input, output, read, write.
std::string fence_set(std::uint32_t set) {
  if (set == 0) return "unknown";
  std::string text;
  for (unsigned i = 0; i < 4; ++i) {
    if ((set >> (3 - i) & 1U) != 0) text += "iorw"[i];
  }
  return text;
}

std::string operand(char letter, const Instruction& instruction, std::uint32_t pc,
                    const TextOptions& options) {
  const auto name = [](unsigned number) { return std::string(register_name(number)); };
  switch (letter) {
    case 'd': return name(instruction.rd);
    case 's': return name(instruction.rs1);
    case 't': return name(instruction.rs2);
    case 'i': return fmt::format("{}", instruction.imm);
    case '>': return fmt::format("0x{:x}", instruction.imm);
    case 'u': return fmt::format("0x{:x}", static_cast<std::uint32_t>(instruction.imm) >> 12);
    case 'o': return fmt::format("{}({})", instruction.imm, name(instruction.rs1));
    case 'A': return fmt::format("({})", name(instruction.rs1));
    case 'P': return fence_set(instruction.word >> 24 & 15U);
    case 'Q': return fence_set(instruction.word >> 20 & 15U);
    case 'E': return csr_text(static_cast<std::uint32_t>(instruction.imm));
    case 'Z': return fmt::format("{}", instruction.rs1);
    default: break; // 'p', 'a'
  }
  const std::uint32_t target = target_of(instruction, pc).value_or(0);
  return options.target ? options.target(target) : fmt::format("0x{:x}", target);
}

const AliasRow* find_alias(const Instruction& instruction, bool aliases) {
  const auto found = std::ranges::find_if(kAliases, [&](const AliasRow& row) {
    return (aliases || row.always) && row.op == instruction.op &&
           (instruction.word & row.mask) == row.match;
  });
  return found == kAliases.end() ? nullptr : &*found;
}

/// The orderings of an atomic instruction stand behind its name.
std::string_view ordering(const Instruction& instruction) {
  constexpr std::array<std::string_view, 4> kOrderings{"", ".rl", ".aq", ".aqrl"};
  const bool is_atomic = format_of(instruction.op) == Format::Atomic;
  return is_atomic ? kOrderings[instruction.word >> 25 & 3U] : "";
}

} // namespace

std::string_view register_name(unsigned number) {
  return kRegisters[number % kRegisters.size()];
}

InstructionText text_of(const Instruction& instruction, std::uint32_t pc,
                        const TextOptions& options) {
  const Row& row = row_of(instruction.op);
  const AliasRow* const alias = find_alias(instruction, options.aliases);
  InstructionText text{std::string(alias == nullptr ? row.mnemonic : alias->mnemonic), {}};
  text.mnemonic += ordering(instruction);
  for (const char letter : alias == nullptr ? operands_of(row.format) : alias->operands) {
    if (!text.operands.empty()) text.operands += ',';
    text.operands += operand(letter, instruction, pc, options);
  }
  return text;
}

} // namespace lanewise::riscv
