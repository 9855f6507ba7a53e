// The same as JSON: docs/elf.md describes the fields.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "elf/call.h"
#include "elf/code.h"

namespace lanewise::report {

/// Functions with their words and counts.
nlohmann::json elf_json(const elf::Image& image, const std::vector<elf::Function>& functions,
                        Arch arch);

/// What a call pushed and set.
nlohmann::json elf_call_json(const elf::Image& image, const elf::CallResult& result, Arch arch);

} // namespace lanewise::report
