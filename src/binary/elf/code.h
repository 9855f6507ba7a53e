// The code of a kernel's functions, word by word: RISC-V and Tensix instructions, and what follows
// each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "binary/elf/image.h"
#include "chip/isa/arch.h"
#include "chip/riscv/instruction.h"

namespace lanewise::elf {

enum class WordKind : std::uint8_t {
  RiscV,
  Tensix, ///< `.ttinsn`: pushed to the coprocessor
  Unknown ///< no instruction that is known here, or data
};

struct CodeWord {
  std::uint32_t address = 0;
  std::uint32_t word = 0; ///< as it stands in the code
  WordKind kind = WordKind::Unknown;
  riscv::Instruction instruction = {};      ///< of RiscV
  riscv::Flow flow = riscv::Flow::Next;     ///< Next for Tensix and Unknown
  std::optional<std::uint32_t> target = {}; ///< of branches, jumps and calls
  /// The Tensix instruction that the word pushes: its own, or the one that a store to the
  /// instruction FIFO writes, where all paths to it agree which. Nothing else.
  std::optional<std::uint32_t> tensix = {};
  /// Where a load, a store or an AMO goes, if all paths to it agree (binary/elf/accesses.h).
  std::optional<std::uint32_t> accessed = {};
  bool stores_to_fifo = false; ///< `sw`, whose address is known and in the instruction FIFO

  bool pushes() const { return kind == WordKind::Tensix || stores_to_fifo; }
};

struct Function {
  Symbol symbol;
  std::vector<CodeWord> words; ///< in the order of addresses, all of the symbol's range
};

/// The function's code. `arch` says where the instruction FIFO lies.
Function code_of(const Image& image, const Symbol& symbol, Arch arch);

/// All functions, by address.
std::vector<Function> functions_of(const Image& image, Arch arch);

/// The word of code at an address, or nothing where the file has none.
std::optional<std::uint32_t> code_word(const Image& image, std::uint32_t address);

} // namespace lanewise::elf
