// The control flow of a kernel's functions as JSON: docs/elf.md describes the keys.
#pragma once

#include <nlohmann/json.hpp>

#include "elf/code.h"
#include "paths/code_graph.h"
#include "paths/tensix_paths.h"

namespace lanewise::report {

/// Blocks with their dominators, frontiers and deciding branches; edges; loops.
nlohmann::json flow_json(const elf::Function& function, const paths::CodeGraph& code);

/// What the function needs of its callers, the findings of paths, and who programs what it uses.
nlohmann::json paths_json(const elf::Image& image, const elf::Function& function,
                          const paths::TensixPaths& paths);

} // namespace lanewise::report
