// The files that become a program only by a compiler or by executing RISC-V code: kernels in C++,
// their recordings, and functions of ELF files. load_program() asks for them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run/execution/load_program.h"
#include "source/sfpi/recording_file.h"

namespace lanewise::execution {

/// As load_program() says, of a file in C++.
Expected<std::vector<LoadedProgram>> load_kernels(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel);

/// What the compiler makes of a recording. `text`: of the kernel. `on_kernel` may be empty. Error:
/// compile_error().
Expected<LoadedProgram> compile_recording(
    compiler::Recording recording, const std::string& text, const compiler::Options& options,
    const std::function<void(const CompiledKernel&)>& on_kernel);

/// The programs of a kernel that was recorded. Error: BadInput where a chip is not among those that
/// it was recorded for, or compile_error().
Expected<std::vector<LoadedProgram>> load_recorded(
    const ProgramFile& file, const sfpi::RecordedKernel& recorded, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel);

/// As load_program() says, of a recording.
Expected<std::vector<LoadedProgram>> load_recording(
    const ProgramFile& file, const std::string& text, std::span<const Arch> chips,
    const std::function<void(const CompiledKernel&)>& on_kernel);

/// The words that a called function pushes. Chips may differ in what the function finds there.
Expected<std::vector<LoadedProgram>> load_elf(const ProgramFile& file, const std::string& text,
                                              std::span<const Arch> chips);

} // namespace lanewise::execution
