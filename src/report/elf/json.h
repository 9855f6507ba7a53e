// The same as JSON: docs/elf.md describes the fields.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "binary/elf/call.h"
#include "binary/elf/code.h"

namespace lanewise::report {

/// Functions with their words and counts.
nlohmann::json elf_json(const elf::Image& image, const std::vector<elf::Function>& functions,
                        Arch arch);

/// Adds "file" and "line" of an address, and "inlined", the calls that it comes from, to an entry,
/// as far as the debug information has them.
void add_source(nlohmann::json& entry, const elf::Image& image, std::uint32_t address);

/// What a call pushed and set.
nlohmann::json elf_call_json(const elf::Image& image, const elf::CallResult& result, Arch arch);

} // namespace lanewise::report
