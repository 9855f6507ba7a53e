#include "chip/riscv/instruction.h"

#include <algorithm>
#include <array>

#include "chip/isa/encoding.h"

namespace lanewise::riscv {

namespace {

constexpr auto kRows = std::to_array<Row>({
#define RISCV(name, text, extension, format, match, mask) \
  {Op::name, text, Extension::extension, Format::format, match, mask},
#include "chip/riscv/instructions.def"
#undef RISCV
});

constexpr bool are_apart(const Row& one, const Row& other) {
  return ((one.match ^ other.match) & one.mask & other.mask) != 0;
}

constexpr bool all_rows_apart() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_apart(kRows[i], kRows[j])) return false;
    }
  }
  return true;
}
static_assert(all_rows_apart(), "a word fits two rows of instructions.def");

constexpr bool are_rows_whole() {
  return std::ranges::all_of(
      kRows, [](const Row& row) { return (row.match & ~row.mask) == 0 && (row.match & 3) == 3; });
}
static_assert(are_rows_whole(), "a match has bits outside of its mask, or is a Tensix word");

constexpr unsigned kReturnAddress = 1, kOtherLink = 5; // ra, t0

constexpr std::uint8_t register_at(std::uint32_t word, unsigned low) {
  return static_cast<std::uint8_t>((word >> low) & 31U);
}

/// Bits high..low of the word, shifted down.
constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((2U << (high - low)) - 1);
}

constexpr std::int32_t upper_bits(std::uint32_t word, unsigned low) {
  return static_cast<std::int32_t>(word) >> low;
}

constexpr std::int32_t store_offset(std::uint32_t word) {
  return isa::sign_extend((bits(word, 31, 25) << 5) | bits(word, 11, 7), 12);
}

constexpr std::int32_t branch_offset(std::uint32_t word) {
  return isa::sign_extend((bits(word, 31, 31) << 12) | (bits(word, 7, 7) << 11) |
                              (bits(word, 30, 25) << 5) | (bits(word, 11, 8) << 1),
                          13);
}

constexpr std::int32_t jump_offset(std::uint32_t word) {
  return isa::sign_extend((bits(word, 31, 31) << 20) | (bits(word, 19, 12) << 12) |
                              (bits(word, 20, 20) << 11) | (bits(word, 30, 21) << 1),
                          21);
}

Instruction take_apart(const Row& row, std::uint32_t word) {
  Instruction result{.word = word, .op = row.op};
  const std::uint8_t rd = register_at(word, 7);
  const std::uint8_t rs1 = register_at(word, 15);
  const std::uint8_t rs2 = register_at(word, 20);
  const auto fill = [&result](std::uint8_t d, std::uint8_t s, std::uint8_t t, std::int32_t imm) {
    result.rd = d;
    result.rs1 = s;
    result.rs2 = t;
    result.imm = imm;
  };
  switch (row.format) {
    case Format::Reg:
    case Format::Atomic: fill(rd, rs1, rs2, 0); break;
    case Format::Unary: fill(rd, rs1, 0, 0); break;
    case Format::Imm:
    case Format::Load: fill(rd, rs1, 0, upper_bits(word, 20)); break;
    case Format::Shift: fill(rd, rs1, 0, rs2); break;
    case Format::Store: fill(0, rs1, rs2, store_offset(word)); break;
    case Format::Branch: fill(0, rs1, rs2, branch_offset(word)); break;
    case Format::Upper: fill(rd, 0, 0, static_cast<std::int32_t>(word & 0xFFFFF000U)); break;
    case Format::Jump: fill(rd, 0, 0, jump_offset(word)); break;
    case Format::Csr:
    case Format::CsrImm: fill(rd, rs1, 0, static_cast<std::int32_t>(word >> 20)); break;
    case Format::Fence:
    case Format::None: break;
  }
  return result;
}

bool is_link(unsigned reg) {
  return reg == kReturnAddress || reg == kOtherLink;
}

Flow jalr_flow(const Instruction& jalr) {
  if (jalr.rd != 0) return Flow::IndirectCall;
  return is_link(jalr.rs1) ? Flow::Return : Flow::IndirectJump;
}

constexpr std::uint32_t without_x0(std::uint32_t registers) {
  return registers & ~1U;
}

} // namespace

std::string_view extension_name(Extension extension) {
  switch (extension) {
    case Extension::I: return "RV32I";
    case Extension::M: return "M";
    case Extension::Zicsr: return "Zicsr";
    case Extension::Zifencei: return "Zifencei";
    case Extension::Machine: return "machine mode";
    case Extension::Zaamo: return "Zaamo";
    case Extension::Zba: return "Zba";
    case Extension::Zbb: return "Zbb";
  }
  return "";
}

bool has_extension(Arch arch, Extension extension) {
  switch (extension) {
    case Extension::I:
    case Extension::M: return true;
    case Extension::Zifencei: return false;
    case Extension::Zicsr:
    case Extension::Machine:
    case Extension::Zaamo:
    case Extension::Zba:
    case Extension::Zbb: return arch_params(arch).cores.have_extensions;
  }
  return false;
}

std::span<const Row> rows() {
  return kRows;
}

const Row& row_of(Op op) {
  return kRows[static_cast<std::size_t>(op)];
}

std::optional<Instruction> decode(std::uint32_t word) {
  const auto found = std::ranges::find_if(
      kRows, [word](const Row& row) { return (word & row.mask) == row.match; });
  if (found == kRows.end()) return std::nullopt;
  return take_apart(*found, word);
}

std::string_view flow_name(Flow flow) {
  switch (flow) {
    case Flow::Next: return "next";
    case Flow::Branch: return "branch";
    case Flow::Jump: return "jump";
    case Flow::Call: return "call";
    case Flow::Return: return "return";
    case Flow::IndirectJump: return "indirect jump";
    case Flow::IndirectCall: return "indirect call";
    case Flow::Trap: return "trap";
  }
  return "";
}

Flow flow_of(const Instruction& instruction) {
  if (format_of(instruction.op) == Format::Branch) return Flow::Branch;
  if (instruction.op == Op::JAL) return instruction.rd == 0 ? Flow::Jump : Flow::Call;
  if (instruction.op == Op::JALR) return jalr_flow(instruction);
  const bool traps =
      instruction.op == Op::ECALL || instruction.op == Op::EBREAK || instruction.op == Op::MRET;
  return traps ? Flow::Trap : Flow::Next;
}

std::optional<std::uint32_t> target_of(const Instruction& instruction, std::uint32_t pc) {
  const Format format = format_of(instruction.op);
  if (format != Format::Branch && format != Format::Jump) return std::nullopt;
  return pc + static_cast<std::uint32_t>(instruction.imm);
}

std::uint32_t registers_read(const Instruction& instruction) {
  const bool is_number = format_of(instruction.op) == Format::CsrImm;
  return without_x0((is_number ? 0 : 1U << instruction.rs1) | (1U << instruction.rs2));
}

std::uint32_t registers_written(const Instruction& instruction) {
  return without_x0(1U << instruction.rd);
}

} // namespace lanewise::riscv
