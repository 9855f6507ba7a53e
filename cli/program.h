// Programs on the command line: a kernel, assembly or words, for each chip that was asked for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/kernel.h"
#include "isa/program.h"

namespace lanewise::cli {

/// A program for one chip.
struct LoadedProgram {
  Arch arch = Arch::Blackhole;
  Program program;
  std::vector<std::string> source;      ///< lines of its file
  std::optional<report::Kernel> kernel; ///< where the program is one in C++
};

/// --arch bh,wh: each chip once. Error: BadInput for an unknown one.
Expected<std::vector<Arch>> chosen_chips(const std::vector<std::string>& names);

/// Reads the file once and makes a program of it for each chip. `hex`: words in hexadecimal, as in
/// any file whose name ends in .hex. Error: BadInput with the place of the mistake.
Expected<std::vector<LoadedProgram>> load_programs(const std::string& file, bool hex,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options);

} // namespace lanewise::cli
