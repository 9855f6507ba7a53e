// Which stores of a function stay behind which loads, and what a select in a branch's place would
// lose.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "binary/elf/code.h"
#include "binary/paths/ordering.h"

namespace lanewise::report {

/// The loads whose values decide branches, each with the stores that stay behind it and why, and
/// the short branches that could become selects. Empty for a function with neither.
std::string ordering_text(const elf::Image& image, const elf::Function& function,
                          const paths::Ordering& ordering, Arch arch);

/// The same: docs/elf.md has the keys.
nlohmann::json ordering_json(const elf::Image& image, const elf::Function& function,
                             const paths::Ordering& ordering);

} // namespace lanewise::report
