// Programs on the command line: a kernel, assembly, words or a function of an ELF file, for each
// chip that was asked for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/chips.h"
#include "cli/kernel.h"
#include "run/execution/load_program.h"

namespace lanewise::cli {

using execution::LoadedProgram;

/// How the file becomes a program for a chip; nothing is read yet. Error: BadInput for options that
/// cannot be, and as add_checkout() has it.
Expected<execution::ProgramFile> program_file(const std::string& file, const KernelOptions& options,
                                              Arch arch);

/// Reads the file once and makes a program of it for each chip. `hex`: words in hexadecimal, as in
/// any file whose name ends in .hex. Of a kernel, warnings are printed, and what --dump asks for.
/// Error: BadInput with the place of the mistake.
Expected<std::vector<LoadedProgram>> load_programs(const std::string& file, bool hex,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options);

/// The same for a kernel and each release of SFPI that --sfpi names: those of the first chip, then
/// those of the next.
Expected<std::vector<LoadedProgram>> load_releases(const std::string& file,
                                                   std::span<const Arch> chips,
                                                   const KernelOptions& options);

/// Warns of places where the vendor's assembly does not execute its words in the order of the text.
void tell_doubts(const std::vector<Fault>& doubts);

} // namespace lanewise::cli
