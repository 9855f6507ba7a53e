// The files that become a program only by a compiler or by executing RISC-V code: kernels in C++,
// and functions of ELF files. load_program() asks for them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run/execution/load_program.h"

namespace lanewise::execution {

/// As load_program() says, of a file in C++.
Expected<std::vector<LoadedProgram>> load_kernels(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel);

/// The words that a called function pushes. Chips may differ in what the function finds there.
Expected<std::vector<LoadedProgram>> load_elf(const ProgramFile& file, const std::string& text,
                                              std::span<const Arch> chips);

} // namespace lanewise::execution
