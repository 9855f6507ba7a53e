// The vendor's assembly: what sfpi-gcc, Compiler Explorer and objdump print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::assembly {

/// A function of a text, and its Tensix words: `words` from `first_word` on.
struct GnuFunction {
  std::string name;       ///< as its label says it
  std::uint32_t line = 0; ///< of the label, from 1
  std::uint32_t last_line = 0;
  std::size_t first_word = 0, words = 0;
};

/// The Tensix words of a text, in its order, and what that order leaves out.
struct GnuText {
  Program program;
  std::vector<GnuFunction> functions; ///< those with words, in the order of the text
  std::size_t riscv = 0;              ///< RISC-V instructions, which are skipped
  bool vendors = true;                ///< not a text in our own syntax, which has a program only
  /// Unsupported: where control flow does not follow the order of the text, line by line.
  std::vector<Fault> doubts;
  /// Unsupported: stores of words that the program computes, which are no part of the text.
  std::vector<Fault> computed;
};

/// Whether a text is objdump's: it has a heading of objdump, or lines "address: bytes instruction".
bool is_objdump(std::string_view source);

/// Reads assembly in GNU's syntax, or the output of objdump. `name` stands in messages.
/// Error: BadInput with line and column (from 1) of the first mistake: a Tensix instruction that
/// binutils would not take, bytes and text of objdump that contradict each other, a macro of the
/// assembler.
Expected<GnuText> read_gnu(Arch arch, std::string_view source, std::string_view name);

/// The text with the words of one function only: of the label `name`, or of the C++ function that
/// has that name. A text in which at most one function has words stays as it is.
/// Error: BadInput that lists the functions, where several have words and none or several fit.
Expected<GnuText> only_function(GnuText text, std::string_view name);

/// The same of a name that somebody has asked for. Error: BadInput also where no function has
/// words, or a single one of another name.
Expected<GnuText> named_function(GnuText text, std::string_view name);

/// One word as objdump prints it, without address and bytes: "sfpmad\tL0,L1,L2,L3,0"; as
/// ".ttinsn\t0x..." where binutils has no form for it. Reading it gives just that word.
std::string gnu_line(Arch arch, std::uint32_t word);

} // namespace lanewise::assembly
