// A compiled kernel, for people and for other tools.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "run/execution/compiled_kernel.h"

namespace lanewise::report {

using execution::CompiledKernel;

/// Words as assembly with the kernel's line beside them, then the counts. Where that would be more
/// than `most_lines`, a line says how many words are left out.
std::string kernel_listing(const CompiledKernel& kernel, std::size_t most_lines = SIZE_MAX);

/// "bh: 25 words, 200 instructions executed, 5 of 8 LRegs".
std::string kernel_counts(const CompiledKernel& kernel);

/// Assembly that 'lanewise run' takes. It begins with the SFPENCC that the firmware has executed
/// when a kernel is entered on hardware.
std::string kernel_assembly(const CompiledKernel& kernel);

/// The same as words in hexadecimal.
std::string kernel_words(const CompiledKernel& kernel);

/// C++ lines of TTI_ macros, for a kernel on real hardware.
std::string kernel_tti(const CompiledKernel& kernel);

nlohmann::json kernel_json(const CompiledKernel& kernel);

} // namespace lanewise::report
