// The control flow of a kernel's functions as JSON: docs/elf.md describes the keys.
#pragma once

#include <nlohmann/json.hpp>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/file_paths.h"

namespace lanewise::report {

/// Blocks with their dominators, frontiers and deciding branches; edges; loops.
nlohmann::json flow_json(const elf::Function& function, const paths::CodeGraph& code);

/// What the function needs of its callers, the findings of paths, who programs what it uses,
/// hazards of the clock, and how fast the core can push. `index`: of the function in the graph.
nlohmann::json paths_json(const elf::Image& image, const paths::ProgramGraph& graph,
                          std::uint32_t index, const paths::FunctionPaths& paths);

/// Phis of each block, and what each word does with values.
nlohmann::json ssa_json(const paths::FunctionSsa& ssa);

} // namespace lanewise::report
