// A kernel's ELF for people: its code, with RISC-V and Tensix instructions side by side, and what a
// called function pushed.
#pragma once

#include <string>

#include "elf/call.h"
#include "elf/code.h"

namespace lanewise::report {

/// "addi    a0,a0,1", or for a word that is none ".word 0x...". Targets stand as "1a4 <f+0x10>".
std::string code_text(const elf::Image& image, const elf::CodeWord& word);

/// The function's words, each with its address, and the source lines above the words that come from
/// them.
std::string elf_listing(const elf::Image& image, const elf::Function& function, Arch arch);

/// The words that a call pushed, each with its place in the code and its line, and the settings
/// before them.
std::string elf_call_text(const elf::Image& image, const elf::CallResult& result, Arch arch);

} // namespace lanewise::report
