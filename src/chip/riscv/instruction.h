// Instructions of the RISC-V cores that push to the coprocessor: one row each, decoding, and what
// control flow they make.
//
// The cores have no compressed instructions: a word whose low two bits are not 11 is `.ttinsn`, a
// Tensix instruction that the core pushes (ISA BabyRISCV, PushTensixInstruction).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::riscv {

/// Every instruction, in the order of instructions.def.
enum class Op : std::uint8_t {
#define RISCV(name, ...) name,
#include "chip/riscv/instructions.def"
#undef RISCV
};

enum class Extension : std::uint8_t { I, M, Zicsr, Zifencei, Machine, Zaamo, Zba, Zbb };

/// "RV32I", "M", "Zicsr", ...
std::string_view extension_name(Extension extension);

/// Whether the chip's cores are documented to have it (ISA BabyRISCV: RV32IM on Wormhole, with
/// Zicsr, Zaamo, Zba and Zbb on Blackhole).
bool has_extension(Arch arch, Extension extension);

/// Which operands an instruction has.
enum class Format : std::uint8_t {
  Reg,    ///< rd, rs1, rs2
  Unary,  ///< rd, rs1
  Imm,    ///< rd, rs1, imm
  Shift,  ///< rd, rs1, shift amount
  Load,   ///< rd, imm(rs1); also jalr
  Store,  ///< rs2, imm(rs1)
  Branch, ///< rs1, rs2, offset
  Upper,  ///< rd, imm << 12
  Jump,   ///< rd, offset
  Fence,  ///< predecessors, successors
  Csr,    ///< rd, csr, rs1
  CsrImm, ///< rd, csr, 5-bit number
  Atomic, ///< rd, rs2, (rs1)
  None
};

struct Row {
  Op op;
  std::string_view mnemonic;
  Extension extension;
  Format format;
  std::uint32_t match, mask; ///< a word with (word & mask) == match
};

/// Every row, in the order of instructions.def.
std::span<const Row> rows();

/// The row of an instruction.
const Row& row_of(Op op);

// Of their rows, what is asked for each time that an instruction is executed.
inline constexpr auto kFormats = std::to_array<Format>({
#define RISCV(name, text, extension, format, match, mask) Format::format,
#include "chip/riscv/instructions.def"
#undef RISCV
});
inline constexpr auto kExtensions = std::to_array<Extension>({
#define RISCV(name, text, extension, format, match, mask) Extension::extension,
#include "chip/riscv/instructions.def"
#undef RISCV
});
constexpr Format format_of(Op op) {
  return kFormats[static_cast<std::size_t>(op)];
}
constexpr Extension extension_of(Op op) {
  return kExtensions[static_cast<std::size_t>(op)];
}

/// A word, taken apart. What its format does not have is 0.
struct Instruction {
  std::uint32_t word = 0;
  Op op = Op::ADDI;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0; ///< of CsrImm, rs1 is the number
  std::int32_t imm = 0;                  ///< offset, constant, shift amount, or number of the CSR

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// Nothing for a word that is no instruction of any chip here, and for Tensix words.
std::optional<Instruction> decode(std::uint32_t word);

/// What follows an instruction.
enum class Flow : std::uint8_t {
  Next,         ///< the next one
  Branch,       ///< the next one, or the target
  Jump,         ///< the target
  Call,         ///< the target, and the next one once it returns
  Return,       ///< the caller
  IndirectJump, ///< what a register says
  IndirectCall, ///< what a register says, and the next one once it returns
  Trap          ///< ecall, ebreak, mret: outside of the program
};

/// "next", "branch", ...
std::string_view flow_name(Flow flow);

/// What follows, as the calling convention uses jumps: a link in `ra` or another register makes a
/// call, `jr` through ra or t0 a return (RISC-V manual, jalr's return-address stack hints).
Flow flow_of(const Instruction& instruction);

/// Where a branch, a jump or a call goes; nothing where no word says so.
std::optional<std::uint32_t> target_of(const Instruction& instruction, std::uint32_t pc);

/// Bit n: register xn is read, or written. x0 is neither.
std::uint32_t registers_read(const Instruction& instruction);
std::uint32_t registers_written(const Instruction& instruction);

/// Whether a word of code is a Tensix instruction, `.ttinsn`.
constexpr bool is_tensix(std::uint32_t code) {
  return (code & 3U) != 3U;
}

/// The Tensix instruction in such a word: it stands there rotated left by two.
constexpr std::uint32_t tensix_word(std::uint32_t code) {
  return std::rotr(code, 2);
}

/// The word of code for a Tensix instruction below 0xC0000000; there is none for others.
constexpr std::uint32_t ttinsn(std::uint32_t tensix) {
  return std::rotl(tensix, 2);
}

} // namespace lanewise::riscv
