// From a file to programs: a kernel in C++ or its recording, assembly, words in hexadecimal, or
// what a function of a kernel's ELF pushes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/program.h"
#include "run/execution/compiled_kernel.h"
#include "source/assembly/syntax.h"

namespace lanewise::execution {

/// A program for one chip.
struct LoadedProgram {
  Arch arch = kDefaultArch;
  Program program;
  std::string text = {};                     ///< of its file
  std::optional<CompiledKernel> kernel = {}; ///< where the program is one in C++
  std::vector<std::string> notes = {};       ///< what the program leaves out: sentences
  /// Unsupported: where the vendor's assembly does not execute its words in the order of the text.
  std::vector<Fault> doubts = {};
  bool vendors = false; ///< the vendor's assembly

  /// Whether the program is a kernel that a compiler made, which starts as the firmware enters it.
  /// Only what our compiler made is known to be a whole tile.
  bool as_kernel() const { return kernel.has_value() || vendors; }
};

/// What a file is, which its name tells (of an ELF file its content), and how it becomes a program.
struct ProgramFile {
  /// .cpp, .cc, .cxx, .h, .hpp, .hh: C++; .recording: what it did; .hex: words; else assembly
  std::string name;
  bool hex = false;                                 ///< words, whatever the name is
  assembly::Syntax syntax = assembly::Syntax::Auto; ///< of assembly
  /// How a kernel is recorded and compiled; its file is `name`. Of an ELF file, the one call is the
  /// function that runs; of the vendor's assembly with several functions, `kernel.entry` is read.
  sfpi::KernelSource kernel = {};
  compiler::Options compiler = {};
};

/// Whether the file is a recording (source/sfpi/recording_file.h), by its name.
bool is_recording_file(const std::string& name);

/// Whether the file is C++, by its name.
bool is_kernel_file(const std::string& name);

/// Whether --call and --init are for a file: a kernel in C++, or an ELF.
bool takes_calls(const std::string& name, std::string_view text);

/// Whether it is a header in C++, by its name.
bool is_header_file(const std::string& name);

/// Makes a program of the file for each chip. `text`: its contents. `on_kernel` sees every kernel
/// that was compiled, one with errors too. Error: BadInput with the place of the mistake;
/// Unsupported where the vendor's assembly pushes words that it computes.
Expected<std::vector<LoadedProgram>> load_program(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel = {});

} // namespace lanewise::execution
