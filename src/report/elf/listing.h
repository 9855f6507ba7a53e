// A kernel's ELF for people: its code, with RISC-V and Tensix instructions side by side, and what a
// called function pushed.
#pragma once

#include <cstdint>
#include <string>

#include "binary/elf/call.h"
#include "binary/elf/code.h"

namespace lanewise::report {

/// "addi    a0,a0,1", or for a word that is none ".word 0x...". Targets stand as "1a4 <f+0x10>".
std::string code_text(const elf::Image& image, const elf::CodeWord& word);

enum class FileNames : std::uint8_t { WithPath, Short };

/// "kernel.c:15", and of inlined code also where it was called: "kernel.c:15 in push, inlined at
/// kernel.c:25". Only the first file has its path, if any. Empty where the debug information does
/// not say.
std::string source_text(const elf::Image& image, std::uint32_t address, FileNames names);

/// The function's words, each with its address, and the source lines above the words that come from
/// them.
std::string elf_listing(const elf::Image& image, const elf::Function& function, Arch arch);

/// The words that a call pushed, each with its place in the code and its line, and the settings
/// before them.
std::string elf_call_text(const elf::Image& image, const elf::CallResult& result, Arch arch);

} // namespace lanewise::report
