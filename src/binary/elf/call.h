// Executes a function of a kernel's ELF, to see what it pushes to the coprocessor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "binary/elf/image.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::elf {

/// A function and its arguments: "ns::f(8, -1)".
struct CallText {
  std::string function;
  std::vector<std::uint32_t> arguments; ///< at most 8, in a0..a7
};

/// Error: BadInput that says what is wrong with the text.
Expected<CallText> parse_call(const std::string& text);

/// The function of that name: as the linker knows it, or as C++ has it, with its parameters or
/// without. Error: BadInput with the nearest names, or with those that fit.
Expected<Symbol> find_function(const Image& image, const std::string& name);

/// Instructions that a call may take.
inline constexpr std::uint64_t kMostInstructions = 100'000'000;

struct CallOptions {
  std::uint64_t most_instructions = kMostInstructions;
};

/// What a call did.
struct CallResult {
  Program program;                      ///< what was pushed, in order, with its lines
  std::vector<std::uint32_t> pushed_at; ///< of each word of it, the pc
  std::uint64_t instructions = 0;       ///< that were executed, Tensix ones among them
  std::uint32_t returned = 0;           ///< a0 at the end
  std::vector<std::string> notes =
      {}; ///< what the program cannot hold, and nothing here reads: sentences
};

/// Calls a function on RISCV T0, T1 or T2 of the chip: memory holds the file's segments and zeros
/// in the core's local RAM, in which the stack lies. Beside that there are the instruction FIFO,
/// the MOP expander's configuration, and what docs/elf.md says of the backend configuration; stores
/// become words and settings of the program. Error: with pc, function and line, for anything else
/// that the function asks for, or once it takes too many instructions.
Expected<CallResult> call(const Image& image, const Symbol& function,
                          const std::vector<std::uint32_t>& arguments, Arch arch,
                          const CallOptions& options = {});

} // namespace lanewise::elf
