// The control flow of a kernel's functions: blocks, dominators, loops, and what holds along every
// path.
#pragma once

#include <string>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/file_paths.h"
#include "binary/paths/tensix_paths.h"

namespace lanewise::report {

/// A line for each block: its code, what follows it, its immediate dominator, its dominance
/// frontier, the branches that decide whether it is executed, and the loops around it. Below, the
/// loops and what is no natural loop.
std::string flow_text(const elf::Function& function, const paths::CodeGraph& code, Arch arch);

/// The graph in the language of Graphviz, with the code of each block.
std::string flow_dot(const elf::Image& image, const elf::Function& function,
                     const paths::CodeGraph& code, Arch arch);

/// What the function needs of its callers, the findings of paths, and who programs what it uses.
std::string paths_text(const elf::Image& image, const elf::Function& function,
                       const paths::TensixPaths& paths);

/// The same, with the hazards of the clock, each with the blocks along which it happens, and how
/// fast the core can push at best: in each block that pushes something, and in each pass of a loop,
/// beside what the coprocessor needs. `index`: of the function in the graph.
std::string paths_text(const elf::Image& image, const paths::ProgramGraph& graph,
                       std::uint32_t index, const paths::FunctionPaths& paths);

} // namespace lanewise::report
